package dev.npuflow.workflow.cli;

import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `npuflow completion bash`.
@Command(name = "completion", mixinStandardHelpOptions = true,
        description = "Prints the script by which a shell completes commands and options: eval \"$(npuflow completion bash)\".")
final class CompletionCommand implements Runnable {

    /// picocli's script serves both: in zsh it loads zsh's own support for bash's completions.
    enum Shell {
        BASH, ZSH;

        /// As help and messages write it.
        @Override public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "bash|zsh", description = "the shell")
    private Shell shell;

    @Override public void run() {
        String script = switch (shell) {
            case BASH, ZSH -> AutoComplete.bash(spec.root().name(), spec.root().commandLine());
        };
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
    }
}
