package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.workflow.cli.CommandGroup;
import dev.npuflow.workflow.cli.HelpCommand;
import dev.npuflow.workflow.cli.NpuflowCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `npuflow kernels …`.
@Command(name = "kernels", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND",
        description = "Kernels alone: whether a configuration places, which legal one is fastest, and what is known of all that the models need.",
        subcommands = {CheckCommand.class, TuneCommand.class, RegistryCommand.class, HelpCommand.class})
public final class KernelsCommand implements CommandGroup, Runnable {

    @Spec private CommandSpec spec;

    @Override public void run() {
        throw NpuflowCommand.noCommand(spec);
    }
}
