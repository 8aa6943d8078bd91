package dev.npuflow.workflow.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One command as a user gives it, in this process, and what came of it.
record CommandRun(int exitCode, String out, String err) {

    /// What a command tells while it works; it depends on how fast the machine is.
    static final Pattern PROGRESS = Pattern.compile("(?m)^\\[ *\\d+ s] .*\\R");

    static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = NpuflowCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(arguments);
        return new CommandRun(exitCode, out.toString(), PROGRESS.matcher(err.toString()).replaceAll(""));
    }

    JsonNode json() {
        return JsonMapper.shared().readTree(out);
    }
}
