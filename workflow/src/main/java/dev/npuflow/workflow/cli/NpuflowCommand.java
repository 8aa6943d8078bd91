package dev.npuflow.workflow.cli;

import dev.npuflow.npu.NpuException;
import dev.npuflow.workflow.cli.kernels.KernelsCommand;
import dev.npuflow.workflow.cli.sim.SimCommand;
import dev.npuflow.workflow.cli.skills.SkillsCommand;
import dev.npuflow.workflow.fault.ExitCode;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.ledger.Conditions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/// The root of all commands: how faults become one line and an exit code.
@Command(name = "npuflow", mixinStandardHelpOptions = true, version = Conditions.THIS_BUILD,
        description = "Deploys a decoder-only LLM on an AIE-style NPU in gated phases: nothing is kept that was not measured faster and verified correct.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DeployCommand.class,
            Phase3Command.class,
            Phase4Command.class,
            Phase5Command.class,
            ProfileCommand.class,
            VerifyCommand.class,
            DiagnosisCommand.class,
            LocalizeCommand.class,
            AblateCommand.class,
            ReportCommand.class,
            GenerateCommand.class,
            CompileCommand.class,
            PlanCommand.class,
            EstimateCommand.class,
            NewCommand.class,
            KernelsCommand.class,
            SkillsCommand.class,
            InspectCommand.class,
            TokenizeCommand.class,
            SimCommand.class},
        footer = {"", "MODEL is a name under programming_examples/llms or any Hugging Face directory.",
            "Exit codes: 0 passed, 1 a gate failed, 2 usage or bad input, 3 environment or target failed, 130/143 interrupted."})
public final class NpuflowCommand implements Runnable {

    @Spec private CommandSpec spec;

    @Override public void run() {
        throw new ParameterException(spec.commandLine(), "NPF-800 command: expected one of the commands below; try npuflow phase5 tiny_kjv");
    }

    /// A command line whose faults are told in one line.
    public static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new NpuflowCommand());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        // An argument is what the user wrote: `@notes` is a text or a name, and the arguments in a file of that name are nobody's wish.
        commandLine.setExpandAtFiles(false);
        // What looks like a misspelt option is no path and no name: `--workspace --jsno` made a directory.
        commandLine.setUnmatchedOptionsAllowedAsOptionParameters(false);
        commandLine.setExecutionStrategy(NpuflowCommand::execute);
        commandLine.setExecutionExceptionHandler((thrown, command, _) -> tell(thrown, command.getErr()));
        commandLine.setParameterExceptionHandler((thrown, _) -> usage(thrown));
        return commandLine;
    }

    /// An `Error` would pass picocli by and end the process with 1, which says that a gate failed.
    private static int execute(ParseResult parsed) {
        try {
            return new RunLast().execute(parsed);
        } catch (Error defect) {
            throw new ExecutionException(parsed.commandSpec().commandLine(), defect.toString(), defect);
        }
    }

    private static int usage(ParameterException thrown) {
        CommandLine command = thrown.getCommandLine();
        PrintWriter err = command.getErr();
        String message = thrown.getMessage();
        err.println(message.startsWith("NPF-") ? message : "NPF-801 " + message.lines().findFirst().orElse("usage"));
        CommandLine.UnmatchedArgumentException.printSuggestions(thrown, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.BAD_INPUT.code();
    }

    private static int tell(Exception thrown, PrintWriter err) {
        err.println(switch (thrown) {
            case NpuflowException fault -> fault.getMessage();
            case NpuException fault -> fault.getMessage();
            case UncheckedIOException fault -> told(fault.getCause());
            case IOException fault -> told(fault);
            default -> {
                thrown.printStackTrace(err);
                yield "NPF-899 npuflow itself failed: expected no such fault; try again and report the lines above";
            }
        });
        return switch (thrown) {
            case NpuflowException fault -> fault.exitCode().code();
            case NpuException fault -> fault.id().startsWith("NPF-3") ? ExitCode.BAD_INPUT.code() : ExitCode.ENVIRONMENT.code();
            default -> ExitCode.ENVIRONMENT.code();
        };
    }

    private static String told(IOException failure) {
        return told(failure instanceof FileSystemException system && system.getFile() != null ? system.getFile() : "a file or stream", failure);
    }

    static String told(String file, IOException failure) {
        return "NPF-802 %s (%s): expected what can be read and written; try its path, its permissions and free disk space".formatted(file, FileReason.of(failure));
    }
}
