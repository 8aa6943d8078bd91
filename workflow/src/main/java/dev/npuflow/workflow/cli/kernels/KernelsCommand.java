package dev.npuflow.workflow.cli.kernels;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `npuflow kernels …`.
@Command(name = "kernels", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND",
        description = "One kernel alone: whether a configuration places, and which legal one is fastest.",
        subcommands = {CheckCommand.class, TuneCommand.class})
public final class KernelsCommand implements Runnable {

    @Spec private CommandSpec spec;

    @Override public void run() {
        throw new ParameterException(spec.commandLine(), "NPF-800 command: expected check or tune; try npuflow kernels tune GEMV --m 2048 --k 2048");
    }
}
