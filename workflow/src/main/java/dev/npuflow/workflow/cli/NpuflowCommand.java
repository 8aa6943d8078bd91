package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.Fault;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.provenance.Build;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// The root of all commands: how faults become one line and an exit code.
@Command(name = "npuflow", mixinStandardHelpOptions = true, versionProvider = NpuflowCommand.Versions.class,
        description = "Deploys a decoder-only LLM on an AIE-style NPU in gated phases: nothing is kept that was not measured faster and verified correct.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DeployCommand.class,
            Phase3Command.class,
            Phase4Command.class,
            Phase5Command.class,
            ProfileCommand.class,
            VerifyCommand.class, GateCheckCommand.class,
            DiagnosisCommand.class,
            LocalizeCommand.class,
            AblateCommand.class,
            ReportCommand.class,
            GenerateCommand.class,
            CompileCommand.class,
            PlanCommand.class,
            EstimateCommand.class,
            NewCommand.class,
            InspectCommand.class,
            TokenizeCommand.class,
            CompletionCommand.class,
            HelpCommand.class},
        footer = {"", "MODEL is a name under programming_examples/llms or any Hugging Face directory.",
            "Exit codes: 0 passed, 1 a gate failed, 2 usage or bad input, 3 environment or target failed, 130/143 interrupted."})
public final class NpuflowCommand implements Runnable {

    @Spec private CommandSpec spec;

    /// What `--version` prints.
    static final class Versions implements CommandLine.IVersionProvider {

        @Override public String[] getVersion() {
            return new String[] {Build.VERSION, "build " + Build.hash()};
        }
    }

    @Override public void run() {
        throw noCommand(spec);
    }

    /// What a command that only has subcommands says when none is given.
    public static NpuflowException noCommand(CommandSpec group) {
        return NpuflowException.badInput("NPF-800", "no command after " + group.qualifiedName(),
                "one of " + String.join(", ", group.subcommands().keySet()), group.qualifiedName() + " --help");
    }

    /// A command line whose faults are told in one line.
    public static CommandLine commandLine() {
        // picocli would tell of odd quotes in an option's value, in the words of its fields.
        CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF);
        CommandLine commandLine = new CommandLine(new NpuflowCommand());
        ServiceLoader.load(CommandGroup.class, CommandGroup.class.getClassLoader()).forEach(group -> commandLine.addSubcommand(withSubcommands(group)));
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        // An argument is what the user wrote: `@notes` is a text or a name, and the arguments in a file of that name are nobody's wish.
        commandLine.setExpandAtFiles(false);
        // What looks like a misspelt option is no path and no name: `--workspace --jsno` made a directory.
        commandLine.setUnmatchedOptionsAllowedAsOptionParameters(false);
        commandLine.registerConverter(Path.class, NpuflowCommand::path);
        Terminal.fitNone(commandLine);
        SkillOptionHelp.install(commandLine);
        commandLine.setExecutionStrategy(NpuflowCommand::execute);
        commandLine.setExecutionExceptionHandler((thrown, command, parsed) -> tell(thrown, FaultOutput.of(command, parsed.originalArgs())));
        commandLine.setParameterExceptionHandler((thrown, arguments) -> usage(thrown, FaultOutput.of(thrown.getCommandLine(), List.of(arguments))));
        return commandLine;
    }

    private static CommandLine withSubcommands(CommandGroup group) {
        CommandLine commandLine = new CommandLine(group);
        group.subcommands().forEach(commandLine::addSubcommand);
        return commandLine;
    }

    /// An empty text is no path: it would be the working directory, which a script with an unset variable does not mean.
    private static Path path(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("expected a path");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'%s' is no path of this system".formatted(OneLine.of(text)));
        }
    }

    /// An `Error` would pass picocli by and end the process with 1, which says that a gate failed.
    private static int execute(ParseResult parsed) {
        try {
            return new RunLast().execute(parsed);
        } catch (Error defect) {
            throw new ExecutionException(parsed.commandSpec().commandLine(), defect.toString(), defect);
        }
    }

    private static int usage(ParameterException thrown, FaultOutput output) {
        output.tell(UsageFault.of(thrown));
        return ExitCode.BAD_INPUT.code();
    }

    private static int tell(Exception thrown, FaultOutput output) {
        Fault fault = switch (thrown) {
            case NpuflowException told -> told.fault();
            case UncheckedIOException failure -> fault(failure.getCause());
            case IOException failure -> fault(failure);
            case ExecutionException ended when ended.getCause() instanceof OutOfMemoryError memory -> withoutMemory(String.valueOf(memory.getMessage()));
            default -> {
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                output.err().print(OneLine.each(trace.toString()));
                yield Fault.environment("NPF-899", "npuflow itself failed", "no such fault", "again and report the lines above");
            }
        };
        output.tell(fault);
        return fault.exitCode().code();
    }

    static Fault withoutMemory(String what) {
        return Fault.environment("NPF-898", "memory of the JVM", what, "room for the model's activations and tokens, which npuflow inspect estimates",
                "NPUFLOW_JAVA_OPTS=-Xmx8g, or a shorter prompt and fewer tokens");
    }

    private static Fault fault(IOException failure) {
        return fault(failure instanceof FileSystemException system && system.getFile() != null ? system.getFile() : "a file or stream", failure);
    }

    static Fault fault(String file, IOException failure) {
        return Fault.environment("NPF-802", file, FileReason.of(failure), "what can be read and written", "its path, its permissions and free disk space");
    }
}
