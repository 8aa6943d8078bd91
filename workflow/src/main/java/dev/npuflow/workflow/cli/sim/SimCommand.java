package dev.npuflow.workflow.cli.sim;

import dev.npuflow.workflow.cli.CommandGroup;
import dev.npuflow.workflow.cli.HelpCommand;
import dev.npuflow.workflow.cli.NpuflowCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `npuflow sim …`.
@Command(name = "sim", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND",
        description = "The simulator itself: validate it against measurements, calibrate a device, probe transfers, show a launch.",
        subcommands = {ValidateCommand.class, CalibrateCommand.class, ProbeCommand.class, TimelineCommand.class, HelpCommand.class})
public final class SimCommand implements CommandGroup, Runnable {

    @Spec private CommandSpec spec;

    @Override public List<Object> subcommands() {
        return SimMachines.all().stream().flatMap(machine -> machine.commands().stream()).toList();
    }

    @Override public void run() {
        throw NpuflowCommand.noCommand(spec);
    }
}
