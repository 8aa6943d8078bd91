package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.text.TextOutput;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `--json`, and where the result of a command goes: the one place that knows which form was asked for.
public final class Output {

    @Spec(Spec.Target.MIXEE) private @Nullable CommandSpec command;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    /// @param text writes the result for people
    /// @param tree gives it for programs: what [JsonOutput] takes
    public void show(Consumer<TextOutput> text, Supplier<?> tree) {
        show(new View(text, tree));
    }

    public void show(View result) {
        if (json) {
            JsonOutput.print(out(), result.json().get());
        } else {
            result.text().accept(Terminal.text(command()));
        }
        out().flush();
    }

    /// What people read while the command works; a program gets its result and nothing else.
    public void meanwhile(Consumer<TextOutput> text) {
        if (!json) {
            text.accept(Terminal.text(command()));
        }
    }

    /// Where a fault goes that does not end the command.
    FaultOutput faults() {
        return new FaultOutput(out(), command().commandLine().getErr(), json);
    }

    private PrintWriter out() {
        return command().commandLine().getOut();
    }

    /// The command itself, also where these options are among others that several commands share.
    private CommandSpec command() {
        if (command == null) {
            throw new IllegalStateException("picocli sets it when it makes the command");
        }
        return command.commandLine().getCommandSpec();
    }
}
