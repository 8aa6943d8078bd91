package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lens.ReferencePass.Key;

/// An operator's output as the NPU run made it, beside the reference's, both seq-first; nothing of it is to be kept beyond the call that hands it
/// over.
sealed interface Seen {

    Phase phase();

    ReferencePass pass();

    Key key();

    /// Rows that the reference's output has.
    int rows();

    short[] actual();

    short[] expected();

    /// How far apart they are.
    default double difference() {
        return Bf16Rows.difference(actual(), expected(), rows());
    }

    /// @param operands the device's memory right after the launch
    /// @param offset   of the first element in the reference's output
    record OnNpu(Phase phase, ReferencePass pass, Key key, int rows, short[] actual, short[] expected, NpuCall call, Launch launch, Operands operands,
            long offset) implements Seen {}

    /// @param values as they are after the operation
    record OnHost(Phase phase, ReferencePass pass, Key key, int rows, short[] actual, short[] expected, HostOp op, Values values) implements Seen {}
}
