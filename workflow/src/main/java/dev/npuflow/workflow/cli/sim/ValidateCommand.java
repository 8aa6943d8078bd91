package dev.npuflow.workflow.cli.sim;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.DeviceOptions;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.Progress;
import dev.npuflow.workflow.cli.ProgressOptions;
import dev.npuflow.workflow.cli.sim.MachineCommands.Judged;
import dev.npuflow.workflow.cli.sim.MachineCommands.Validation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow sim validate --kernels f.csv --models g.csv`.
@Command(name = "validate", mixinStandardHelpOptions = true,
        description = "Simulates measured rows and prints the errors, beside two simpler models on the same rows.")
final class ValidateCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeviceOptions device;
    @Mixin private MeasuredFiles files;

    @Option(names = "--max-mean", paramLabel = "PERCENT", defaultValue = "Infinity", description = "exit 1 when a family's mean error is above this")
    private double maximumMean;

    @Mixin private Output output;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Override public Integer call() {
        if (!(maximumMean >= 0)) {
            throw NpuflowException.badInput("NPF-823", "--max-mean", maximumMean, "0 or more percent", "--max-mean 8");
        }
        DeviceDescription description = device.description();
        Validation validation = SimMachines.require(description, "sim validate", MachineCommands::validation);
        Judged judged;
        try (Progress progress = progressOptions.begin(spec.commandLine().getErr(), 2)) {
            judged = validation.validate(description, files, progress);
        }
        output.show(judged.view());
        return (100 * judged.worstMean() > maximumMean ? ExitCode.GATE_FAILED : ExitCode.PASSED).code();
    }
}
