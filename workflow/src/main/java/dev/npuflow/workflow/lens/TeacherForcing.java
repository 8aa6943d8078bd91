package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lens.PlanValues.Slice;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
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
    private final Operator.Attention attention;
    private final Consumer<Seen> judge;
    private final int heads;
    private final int headDim;
    private final SortedSet<String> unjudged = new TreeSet<>();
    private Optional<ReferencePass> current = Optional.empty();

    TeacherForcing(Deployment deployment, Block block, Consumer<Seen> judge) {
        for (Phase phase : Phase.values()) {
            planValues.put(phase, new PlanValues(deployment.phase(phase), block));
        }
        this.attention = block.attention();
        this.judge = judge;
        heads = deployment.model().heads();
        headDim = deployment.model().headDim();
    }

    /// The pass that comes next.
    void expect(ReferencePass pass) {
        current = Optional.of(pass);
    }

    /// Launches whose outputs are no operator of the reference's, `call/launch`.
    SortedSet<String> unjudged() {
        return unjudged;
    }

    @Override public void afterStep(StepTime time, Values values) {}

    @Override public LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
        return (index, operands) -> {
            Launch launch = call.launches().get(index);
            launch.outputs().forEach((port, operand) -> correct(phase, call, layer, launch, port, operand, operands));
        };
    }

    private void correct(Phase phase, NpuCall call, int layer, Launch launch, String port, Operand operand, Operands operands) {
        Optional<Slice> slice = planValues(phase).written(call, launch, operand, layer);
        if (slice.isEmpty()) {
            unjudged.add(call.name() + "/" + launch.name());
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
        boolean headFirst = Layouts.headFirst(launch);
        short[] actual = memory.toArray(BF16);
        int rows = length == whole.length && !slice.get().key().value().equals(ModelEnds.LOGITS) ? pass.positions() : 1;
        judge.accept(new Seen.OnNpu(phase, pass, slice.get().key(), rows, headFirst ? Bf16Rows.transposed(actual, heads, rows, headDim) : actual,
                expected, call,
                launch, operands, offset));
        MemorySegment.copy(headFirst ? Bf16Rows.transposed(expected, rows, heads, headDim) : expected, 0, memory, BF16, 0, length);
    }

    @Override public void afterStep(Phase phase, Step step, StepTime time, Values values) {
        if (step instanceof HostOp op && op.kind() == HostKind.KV_CACHE_EXTRACT) {
            show(phase, op, new Key(time.layer(), attention.key()), values.get(op.inputs().get("key")), values);
            show(phase, op, new Key(time.layer(), attention.value()), values.get(op.inputs().get("value")), values);
        } else if (step instanceof HostOp op && op.outputs().containsKey("out")) {
            String name = op.outputs().get("out");
            planValues(phase).written(produced(op, name), time.layer()).ifPresent(slice -> correct(phase, op, name, slice, values));
        }
    }

    /// The value whose meaning an operation's output has, whatever layout it has it in.
    private String produced(HostOp op, String out) {
        return switch (op.kind()) {
            case DECODE_ATTENTION, PREFILL_ATTENTION -> attention.output().name();
            case EMBED, ADD, RMS_NORM, SILU_MUL -> out;
            case ROPE_TABLE, KV_CACHE_EXTRACT, TRANSPOSE, LAST_ROW, ARGMAX -> "";
        };
    }

    private void correct(Phase phase, HostOp op, String name, Slice slice, Values values) {
        ReferencePass pass = current.orElseThrow();
        short[] reference = pass.get(slice.key());
        boolean headFirst = Layouts.headFirst(op);
        short[] actual = values.get(name);
        show(phase, op, slice.key(), headFirst ? Bf16Rows.transposed(actual, heads, pass.positions(), headDim) : actual, values);
        values.put(name, headFirst ? Bf16Rows.transposed(reference, pass.positions(), heads, headDim) : reference);
    }

    private void show(Phase phase, HostOp op, Key key, short[] actual, Values values) {
        ReferencePass pass = current.orElseThrow();
        short[] expected = pass.get(key);
        if (actual.length == expected.length) {
            judge.accept(new Seen.OnHost(phase, pass, key, key.value().equals(ModelEnds.FINAL_NORM.output()) ? 1 : pass.positions(), actual, expected, op,
                    values));
        }
    }

    private PlanValues planValues(Phase phase) {
        return Objects.requireNonNull(planValues.get(phase));
    }
}
