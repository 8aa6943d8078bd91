package dev.npuflow.acceptance;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One command as a user gives it, and what came of it.
record CommandRun(int exitCode, String out, String err) {

    /// What a command tells while it works; it depends on how fast the machine is.
    static final Pattern PROGRESS = Pattern.compile("(?m)^\\[ *\\d+ s] .*\\R");

    static CommandRun of(String... arguments) {
        return of(NpuflowCommand.commandLine(), arguments);
    }

    /// For a test of hundreds of runs: picocli takes longer to build its commands than most of them take to refuse. A run begins with every option's default.
    static CommandRun of(CommandLine commands, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = commands.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(arguments);
        return new CommandRun(exitCode, out.toString(), PROGRESS.matcher(err.toString()).replaceAll(""));
    }

    /// What no command may ever say, whatever it was given; empty if it said nothing of the kind.
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        if (err.contains("NPF-899") || err.contains("\tat ") || err.contains("Exception")) {
            complaints.add("a defect or a stack trace: " + err);
        }
        if (exitCode > 1 && err.lines().noneMatch(line -> line.matches("NPF-\\d{3} .+"))) {
            complaints.add("no fault is named: " + err);
        }
        if (exitCode < 0 || exitCode > 3) {
            complaints.add("exit code " + exitCode);
        }
        return complaints;
    }

    JsonNode json() {
        return JsonMapper.shared().readTree(out);
    }
}
