package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.text.TextOutput;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// How wide the text of commands and of their help may be: as the terminal, or 100 columns where the output goes to none.
public final class Terminal {

    /// Narrower ones are written to as if they were so wide: picocli takes no less.
    private static final int NARROWEST = 55;

    private Terminal() {}

    /// For an output that goes to no terminal.
    static void fitNone(CommandLine command) {
        command.setUsageHelpWidth(TextOutput.WIDTH);
    }

    /// For standard output. picocli asks the terminal, and whoever is none is left at 100 columns: nothing else of the environment counts.
    static void fit(CommandLine command) {
        int width = command.getCommandSpec().usageMessage().autoWidth(true).width();
        command.setUsageHelpAutoWidth(false);
        command.setUsageHelpWidth(Math.max(NARROWEST, width));
    }

    /// Where a command writes its text.
    public static TextOutput text(CommandSpec command) {
        return new TextOutput(command.commandLine().getOut(), command.usageMessage().width());
    }
}
