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
import java.util.Optional;
import java.util.Set;

/// Which of the reference's outputs and which weight each port of a launch should read. Empty for a launch that computes something else than its output's
/// operator, alone or with those before it that its kernel fuses.
final class LaunchInputs {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final Set<Operator> PRODUCTS = EnumSet.of(Operator.Q_UNBIASED, Operator.K_UNBIASED, Operator.V_UNBIASED, Operator.Q, Operator.K,
            Operator.V, Operator.O_UNBIASED, Operator.O, Operator.GATE, Operator.UP, Operator.DOWN, Operator.LOGITS);
    private static final Set<Operator> BIASED = EnumSet.of(Operator.Q, Operator.K, Operator.V, Operator.O);
    private static final Set<Operator> NORMS = EnumSet.of(Operator.NORMED, Operator.Q_NORMED, Operator.K_NORMED, Operator.FFN_NORMED,
            Operator.FINAL_NORM);
    private static final Set<Operator> SUMS = EnumSet.of(Operator.RESIDUAL, Operator.OUTPUT);

    private final ModelShape model;
    private final OperatorInputs definition;

    LaunchInputs(ModelShape model) {
        this.model = model;
        this.definition = new OperatorInputs(model.layers(), model.queryKeyValueBias(), model.outputBias(), model.queryKeyNorm());
    }

    int rotaryDim() {
        return model.rotaryDim();
    }

    OperatorInputs definition() {
        return definition;
    }

    /// The operators that a launch computes, the one of its output last.
    static List<Operator> operators(Launch launch, Operator output) {
        return switch (launch.kernel()) {
            case "gemv_swiglu_rms" -> List.of(Operator.FFN_NORMED, Operator.GATE, Operator.UP, Operator.SILU_MUL);
            case "gemv_add" -> output == Operator.RESIDUAL ? List.of(Operator.O, output) : List.of(Operator.DOWN, output);
            default -> List.of(output);
        };
    }

    /// The weight that a port should read, by its Hugging Face name; empty where the port takes none of its operator's.
    Optional<String> weight(Launch launch, String port, Key key) {
        Operator operator = key.operator();
        return switch (launch.kernel() + " " + port) {
            case "gemv matrix", "gemm weight" -> PRODUCTS.contains(operator) ? definition.weight(definition.beforeBias(key)) : Optional.empty();
            case "bias_add bias" -> BIASED.contains(operator) ? definition.weight(key) : Optional.empty();
            case "rms_norm weight" -> NORMS.contains(operator) ? definition.weight(key) : Optional.empty();
            case "gemv_add matrix" -> SUMS.contains(operator) ? definition.weight(definition.beforeBias(definition.activations(key).getFirst())) : Optional.empty();
            case "gemv_swiglu_rms weight" -> definition.weight(new Key(key.layer(), Operator.FFN_NORMED));
            default -> Optional.empty();
        };
    }

    Map<String, Key> activations(Seen.OnNpu seen, ContentFinder finder) {
        Operator operator = seen.key().operator();
        List<Key> sources = definition.activations(seen.key());
        return switch (seen.launch().kernel()) {
            case "gemv" -> PRODUCTS.contains(operator) ? Map.of("vector", multiplied(seen.key())) : Map.of();
            case "gemm" -> PRODUCTS.contains(operator) ? Map.of("activations", multiplied(seen.key())) : Map.of();
            case "bias_add" -> BIASED.contains(operator) ? Map.of("in", sources.getFirst()) : Map.of();
            case "rms_norm" -> NORMS.contains(operator) ? Map.of("in", sources.getFirst()) : Map.of();
            case "rope" -> operator == Operator.Q_ROPED || operator == Operator.K_ROPED ? Map.of("in", sources.getFirst()) : Map.of();
            case "silu_mul" -> operator == Operator.SILU_MUL ? Map.of("gate", sources.get(0), "up", sources.get(1)) : Map.of();
            case "flash_attention" -> operator == Operator.ATTENTION
                    ? Map.of("query", sources.get(0), "key", sources.get(1), "value", sources.get(2)) : Map.of();
            case "eltwise_add" -> SUMS.contains(operator) ? summands(seen, sources, finder) : Map.of();
            case "gemv_add" -> SUMS.contains(operator)
                    ? Map.of("vector", multiplied(sources.getFirst()), "addend", sources.get(1)) : Map.of();
            case "gemv_swiglu_rms" -> Map.of("in", new Key(seen.key().layer(), Operator.RESIDUAL));
            default -> Map.of();
        };
    }

    private Key multiplied(Key product) {
        return definition.activations(definition.beforeBias(product)).getFirst();
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

    /// The reference's output `key` in the form that the launch reads: the last row only where the launch works on the last position.
    short[] expected(Seen seen, Key key) {
        short[] values = seen.pass().get(key);
        int rows = seen.pass().positions();
        boolean headFirst = switch (seen) {
            case Seen.OnNpu onNpu -> Layouts.headFirst(onNpu.launch());
            case Seen.OnHost onHost -> Layouts.headFirst(onHost.op());
        };
        if (headFirst) {
            int heads = key.operator() == Operator.Q_ROPED ? model.heads() : model.keyValueHeads();
            return Bf16Rows.transposed(values, rows, heads, model.headDim());
        }
        boolean lastOnly = seen.key().operator() == Operator.FINAL_NORM && rows > 1;
        return lastOnly ? Arrays.copyOfRange(values, values.length - values.length / rows, values.length) : values;
    }
}
