package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lens.PlanValues.Slice;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.reference.Operator;
import dev.npuflow.workflow.target.StepTime;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/// Gives every operator of an NPU run the reference's inputs: an output is shown to the judge and then replaced, on the device or among the host's
/// values, by the reference's. So an error does not travel, and whatever an operator then reads wrongly it reads from a wrong place:
///
///     NPU        launch → out ──→ judge         out := reference's ──→ next launch, read-back …
///     reference           out ──→ judge
///
/// Buffer objects are written, kept and read as the plan says: what is stale stays stale.
final class TeacherForcing implements RunObserver {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Map<Phase, PlanValues> planValues = new EnumMap<>(Phase.class);
    private final Consumer<Seen> judge;
    private final int heads;
    private final int headDim;
    private Optional<ReferencePass> current = Optional.empty();

    TeacherForcing(Deployment deployment, Consumer<Seen> judge) {
        for (Phase phase : Phase.values()) {
            planValues.put(phase, new PlanValues(deployment.phase(phase), deployment.model()));
        }
        this.judge = judge;
        heads = deployment.model().heads();
        headDim = deployment.model().headDim();
    }

    /// The pass that comes next.
    void expect(ReferencePass pass) {
        current = Optional.of(pass);
    }

    @Override public void afterStep(StepTime time, Values values) {}

    @Override public LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
        return (index, operands) -> {
            Launch launch = call.launches().get(index);
            launch.outputs().forEach((port, operand) -> correct(phase, call, layer, launch, port, operand, operands));
        };
    }

    private void correct(Phase phase, NpuCall call, int layer, Launch launch, String port, Operand operand, Operands operands) {
        Optional<Slice> slice = planValues(phase).written(call, operand, layer);
        if (slice.isEmpty()) {
            return;
        }
        ReferencePass pass = current.orElseThrow();
        short[] whole = pass.get(slice.get().key());
        long offset = slice.get().offset();
        int length = (int) Math.min(operand.elements(), whole.length - offset);
        if (length <= 0) {
            return;
        }
        short[] expected = length == whole.length ? whole : Arrays.copyOfRange(whole, (int) offset, (int) offset + length);
        MemorySegment memory = operands.port(port).asSlice(0, 2L * length);
        int rows = length == whole.length && slice.get().key().operator() != Operator.LOGITS ? pass.positions() : 1;
        judge.accept(new Seen.OnNpu(phase, pass, slice.get().key(), rows, memory.toArray(BF16), expected, call, launch, operands, offset));
        MemorySegment.copy(expected, 0, memory, BF16, 0, length);
    }

    @Override public void afterStep(Phase phase, Step step, StepTime time, Values values) {
        if (step instanceof HostOp op && op.outputs().containsKey("out")) {
            String name = op.outputs().get("out");
            planValues(phase).written(produced(op, name), time.layer()).ifPresent(slice -> correct(phase, op, name, slice, values));
        }
    }

    /// The value whose meaning an operation's output has, whatever layout it has it in.
    private static String produced(HostOp op, String out) {
        return switch (op.kind()) {
            case DECODE_ATTENTION, PREFILL_ATTENTION -> "attention";
            case EMBED, ADD, RMS_NORM, SILU_MUL -> out;
            case ROPE_TABLE, TRANSPOSE, LAST_ROW, ARGMAX -> "";
        };
    }

    private void correct(Phase phase, HostOp op, String name, Slice slice, Values values) {
        ReferencePass pass = current.orElseThrow();
        short[] reference = pass.get(slice.key());
        boolean headFirst = "head_first".equals(op.options().get("layout"));
        short[] expected = headFirst ? Bf16Rows.transposed(reference, pass.positions(), heads, headDim) : reference;
        short[] actual = values.get(name);
        int rows = slice.key().operator() == Operator.FINAL_NORM ? 1 : pass.positions();
        if (actual.length == expected.length) {
            judge.accept(new Seen.OnHost(phase, pass, slice.key(), rows, actual, expected, op, values));
        }
        values.put(name, expected);
    }

    private PlanValues planValues(Phase phase) {
        return Objects.requireNonNull(planValues.get(phase));
    }
}
