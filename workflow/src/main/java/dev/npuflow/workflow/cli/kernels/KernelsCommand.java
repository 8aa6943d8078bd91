package dev.npuflow.workflow.cli.kernels;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `npuflow kernels …`.
@Command(name = "kernels", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND",
        description = "Kernels alone: whether a configuration places, which legal one is fastest, and what is known of all that the models need.",
        subcommands = {CheckCommand.class, TuneCommand.class, RegistryCommand.class})
public final class KernelsCommand implements Runnable {

    @Spec private CommandSpec spec;

    @Override public void run() {
        throw new ParameterException(spec.commandLine(), "NPF-800 command: expected check, tune or registry; try npuflow kernels tune GEMV --m 2048 --k 2048");
    }
}
