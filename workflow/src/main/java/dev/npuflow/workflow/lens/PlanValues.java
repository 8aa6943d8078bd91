package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.reference.IntermediateObserver;
import dev.npuflow.workflow.reference.Operator;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Which of the reference's operators a value of a plan is the output of, by the names that the baseline hands values over under and that skills
/// keep; of a kernel that fuses operators, which one it ends with. A value with another name is not compared.
final class PlanValues {

    private static final Map<String, Operator> IN_LAYER = Map.ofEntries(Map.entry("normed", Operator.NORMED), Map.entry("q", Operator.Q),
            Map.entry("k", Operator.K), Map.entry("v", Operator.V), Map.entry("q_roped", Operator.Q_ROPED), Map.entry("k_roped", Operator.K_ROPED),
            Map.entry("attention", Operator.ATTENTION), Map.entry("attention_head_first", Operator.ATTENTION), Map.entry("o", Operator.O),
            Map.entry("residual", Operator.RESIDUAL),
            Map.entry("normed_ffn", Operator.FFN_NORMED), Map.entry("gate", Operator.GATE), Map.entry("up", Operator.UP),
            Map.entry("swiglu", Operator.SILU_MUL), Map.entry("down", Operator.DOWN), Map.entry("x", Operator.OUTPUT));

    /// With QKV bias, the names of projections before and after it.
    private static final Map<String, Operator> BIASED = Map.of("q", Operator.Q_UNBIASED, "k", Operator.K_UNBIASED, "v_unbiased", Operator.V_UNBIASED,
            "q_biased", Operator.Q, "k_biased", Operator.K);

    private static final Map<String, Operator> NORMED_HEADS = Map.of("q_normed", Operator.Q_NORMED, "k_normed", Operator.K_NORMED);

    private final Map<String, Long> logitParts = new HashMap<>();
    private final Map<String, Operator> inLayer = new HashMap<>(IN_LAYER);

    PlanValues(PhasePlan plan, ModelShape model) {
        if (model.queryKeyValueBias()) {
            inLayer.putAll(BIASED);
        }
        if (model.outputBias()) {
            inLayer.put("o_unbiased", Operator.O_UNBIASED);
        }
        if (model.queryKeyNorm()) {
            inLayer.putAll(NORMED_HEADS);
        }
        plan.epilogue().stream().filter(HostOp.class::isInstance).map(HostOp.class::cast).filter(op -> op.kind() == HostKind.ARGMAX)
                .findFirst().ifPresent(argmax -> locateParts(plan, argmax));
    }

    /// Elements of the reference's operator that an operand stands for.
    record Slice(Key key, long offset) {}

    /// What a step in `layer` (−1 for none) makes under this name.
    Optional<Slice> written(String value, int layer) {
        if (layer >= 0) {
            return Optional.ofNullable(inLayer.get(value)).map(operator -> new Slice(new Key(layer, operator), 0));
        }
        Long part = logitParts.get(value);
        if (part != null) {
            return Optional.of(new Slice(new Key(IntermediateObserver.NO_LAYER, Operator.LOGITS), part));
        }
        return switch (value) {
            case "x" -> Optional.of(new Slice(new Key(IntermediateObserver.NO_LAYER, Operator.EMBEDDING), 0));
            case "x_final" -> Optional.of(new Slice(new Key(IntermediateObserver.NO_LAYER, Operator.FINAL_NORM), 0));
            default -> Optional.empty();
        };
    }

    Optional<Slice> written(NpuCall call, Launch launch, Operand operand, int layer) {
        return slice(call.argument(operand.argument()).source(), operand.offset(), layer)
                .or(() -> layer < 0 ? Optional.empty() : fused(call, launch).map(operator -> new Slice(new Key(layer, operator), 0)));
    }

    /// A fused kernel hands over what has no name of its own.
    private static Optional<Operator> fused(NpuCall call, Launch launch) {
        return switch (launch.kernel()) {
            case "gemv_swiglu_rms" -> Optional.of(Operator.SILU_MUL);
            case "gemv_add" -> call.argument(launch.inputs().get("matrix").argument()).source() instanceof Source.Weight weight
                    && weight.tensor().endsWith("self_attn.o_proj.weight") ? Optional.of(Operator.RESIDUAL) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private Optional<Slice> slice(Source source, long offset, int layer) {
        return switch (source) {
            case Source.Activation(String value) -> written(value, layer).map(found -> new Slice(found.key(), found.offset() + offset));
            case Source.Packed packed -> {
                long at = 0;
                for (int i = 0; i < packed.parts().size(); i++) {
                    if (offset < at + packed.sizes().get(i)) {
                        yield slice(packed.parts().get(i), offset - at, layer);
                    }
                    at += packed.sizes().get(i);
                }
                yield Optional.empty();
            }
            case Source.Weight _, Source.InterleavedWeights _, Source.LookUpTable _, Source.Scratch _ -> Optional.empty();
        };
    }

    /// Parts of the logits lie end to end in the order of argmax's inputs, `part_2` before `part_10`.
    private void locateParts(PhasePlan plan, HostOp argmax) {
        long at = 0;
        for (String value : argmax.inputs().entrySet().stream().sorted(Comparator.comparingInt((Map.Entry<String, String> part) ->
                part.getKey().length())
                .thenComparing(Map.Entry::getKey)).map(Map.Entry::getValue).toList()) {
            long first = at;
            logitParts.put(value, first);
            at += plan.calls().flatMap(call -> call.arguments().stream())
                    .filter(argument -> argument.source() instanceof Source.Activation(String name) && name.equals(value))
                    .mapToLong(Argument::elements).findFirst().orElse(0);
        }
    }
}
