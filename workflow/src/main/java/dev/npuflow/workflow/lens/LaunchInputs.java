package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Operand;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.reference.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which of the reference's outputs each port of a launch should read. Empty for a launch that does more or less than one operator.
final class LaunchInputs {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final Set<Operator> PRODUCTS = EnumSet.of(Operator.Q, Operator.K, Operator.V, Operator.O, Operator.GATE, Operator.UP,
            Operator.DOWN, Operator.LOGITS);
    private static final Set<Operator> NORMS = EnumSet.of(Operator.NORMED, Operator.FFN_NORMED, Operator.FINAL_NORM);
    private static final Set<Operator> SUMS = EnumSet.of(Operator.RESIDUAL, Operator.OUTPUT);

    private final ModelShape model;

    LaunchInputs(ModelShape model) {
        this.model = model;
    }

    int rotaryDim() {
        return model.rotaryDim();
    }

    /// Whether the port takes the operator's own weight.
    static boolean multiplies(Launch launch, String port, Key key) {
        return switch (launch.kernel()) {
            case "gemv" -> port.equals("matrix") && PRODUCTS.contains(key.operator());
            case "gemm" -> port.equals("weight") && PRODUCTS.contains(key.operator());
            case "rms_norm" -> port.equals("weight") && NORMS.contains(key.operator());
            default -> false;
        };
    }

    Map<String, Key> activations(Seen.OnNpu seen, ContentFinder finder) {
        Operator operator = seen.key().operator();
        List<Key> sources = OperatorInputs.activations(seen.key(), model.layers());
        return switch (seen.launch().kernel()) {
            case "gemv" -> PRODUCTS.contains(operator) ? Map.of("vector", sources.getFirst()) : Map.of();
            case "gemm" -> PRODUCTS.contains(operator) ? Map.of("activations", sources.getFirst()) : Map.of();
            case "rms_norm" -> NORMS.contains(operator) ? Map.of("in", sources.getFirst()) : Map.of();
            case "rope" -> model.queryKeyNorm() ? Map.of() : Map.of("in", sources.getFirst());
            case "silu_mul" -> operator == Operator.SILU_MUL ? Map.of("gate", sources.get(0), "up", sources.get(1)) : Map.of();
            case "flash_attention" -> operator == Operator.ATTENTION
                    ? Map.of("query", sources.get(0), "key", sources.get(1), "value", sources.get(2)) : Map.of();
            case "eltwise_add" -> SUMS.contains(operator) ? summands(seen, sources, finder) : Map.of();
            default -> Map.of();
        };
    }

    /// A sum's ports may stand either way round: a port that reads one of the two leaves the other to the other port.
    private Map<String, Key> summands(Seen.OnNpu seen, List<Key> sources, ContentFinder finder) {
        boolean exchanged = reads(seen, "a", sources.get(1), finder) || reads(seen, "b", sources.get(0), finder);
        return exchanged ? Map.of("a", sources.get(1), "b", sources.get(0)) : Map.of("a", sources.get(0), "b", sources.get(1));
    }

    private boolean reads(Seen.OnNpu seen, String port, Key key, ContentFinder finder) {
        Operand operand = seen.launch().inputs().get(port);
        if (operand == null) {
            return false;
        }
        short[] expected = expected(seen, key);
        MemorySegment memory = seen.operands().port(port);
        short[] found = memory.asSlice(0, Math.min(memory.byteSize(), 2L * expected.length)).toArray(BF16);
        return finder.activation(found, expected, key, seen.pass()) instanceof Content.Right;
    }

    /// The same values with heads and positions exchanged.
    short[] otherLayout(short[] expected, Key key, Seen.OnNpu seen) {
        int heads = key.operator() == Operator.Q_ROPED ? model.heads() : model.keyValueHeads();
        int rows = seen.pass().positions();
        return Layouts.headFirst(seen.launch()) ? Bf16Rows.transposed(expected, heads, rows, model.headDim())
                : Bf16Rows.transposed(expected, rows, heads, model.headDim());
    }

    /// The reference's output `key` in the form that the launch reads: the last row only where the launch works on the last position.
    short[] expected(Seen seen, Key key) {
        short[] values = seen.pass().get(key);
        int rows = seen.pass().positions();
        if (seen instanceof Seen.OnNpu onNpu && Layouts.headFirst(onNpu.launch())) {
            int heads = key.operator() == Operator.Q_ROPED ? model.heads() : model.keyValueHeads();
            return Bf16Rows.transposed(values, rows, heads, model.headDim());
        }
        boolean lastOnly = seen.key().operator() == Operator.FINAL_NORM && rows > 1;
        return lastOnly ? Arrays.copyOfRange(values, values.length - values.length / rows, values.length) : values;
    }
}
