package dev.npuflow.workflow.cli.sim;

import dev.npuflow.npu.calibration.Observation;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.Progress;
import dev.npuflow.workflow.cli.View;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// What `npuflow sim` does with one kind of machine. npuflow finds it by the kind of a device among the services of this type. What is empty the kind does not have, and
/// the command says so. `sim timeline` asks the device alone and works for every kind.
public interface MachineCommands {

    /// As device files write it, such as `aie`.
    String kind();

    /// `sim probe`: single transfers.
    default Optional<Function<DeviceDescription, View>> probe() {
        return Optional.empty();
    }

    /// `sim validate` and `sim calibrate`: what was measured or published, against what is simulated.
    default Optional<Validation> validation() {
        return Optional.empty();
    }

    /// Commands of `npuflow sim` that this kind alone has, as picocli takes them.
    default List<Object> commands() {
        return List.of();
    }

    /// The simulator against figures from elsewhere.
    interface Validation {

        /// @param files that the user named; a kind with figures of its own may need none
        /// @throws dev.npuflow.fault.NpuflowException NPF-310 to NPF-313 for a damaged file, NPF-821 where a file is needed
        Judged validate(DeviceDescription device, MeasuredFiles files, Progress progress);

        /// Figures to fit a device's calibrated numbers to.
        ///
        /// @param without ids of rows to leave out
        /// @throws dev.npuflow.fault.NpuflowException as [#validate]
        List<Observation> observations(DeviceDescription device, MeasuredFiles files, Set<String> without);
    }

    /// @param worstMean the largest mean error of a family of rows: 0.08 is 8 percent
    record Judged(View view, double worstMean) {}
}
