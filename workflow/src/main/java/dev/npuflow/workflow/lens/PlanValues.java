package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.reference.IntermediateObserver;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Which value of the model's definition a value of a plan is, by the names that the baseline hands values over under and that skills keep; of a kernel that
/// fuses operators, which one it ends with. A value with another name is not compared.
final class PlanValues {

    private static final String HEAD_FIRST = "_head_first";

    private final Map<String, Long> logitParts = new HashMap<>();
    private final Block block;

    PlanValues(PhasePlan plan, Block block) {
        this.block = block;
        plan.epilogue().stream().filter(HostOp.class::isInstance).map(HostOp.class::cast).filter(op -> op.kind() == HostKind.ARGMAX)
                .findFirst().ifPresent(argmax -> locateParts(plan, argmax));
    }

    /// Elements of the reference's operator that an operand stands for.
    record Slice(Key key, long offset) {}

    /// What a step in `layer` (−1 for none) makes under this name.
    Optional<Slice> written(String value, int layer) {
        if (layer >= 0) {
            return inLayer(value).map(found -> new Slice(new Key(layer, found), 0));
        }
        Long part = logitParts.get(value);
        if (part != null) {
            return Optional.of(new Slice(new Key(IntermediateObserver.NO_LAYER, ModelEnds.LOGITS), part));
        }
        return Stream.of(ModelEnds.STREAM, ModelEnds.FINAL_NORM.output()).filter(known -> known.name().equals(value)).findFirst()
                .map(known -> new Slice(new Key(IntermediateObserver.NO_LAYER, known), 0));
    }

    /// Attention has its result in either layout.
    private Optional<Value> inLayer(String name) {
        Value attention = block.attention().output();
        return name.equals(attention.name() + HEAD_FIRST) ? Optional.of(attention) : block.value(name);
    }

    Optional<Slice> written(NpuCall call, Launch launch, Operand operand, int layer) {
        return slice(call.argument(operand.argument()).source(), operand.offset(), layer)
                .or(() -> layer < 0 ? Optional.empty() : fused(call, launch).map(value -> new Slice(new Key(layer, value), 0)));
    }

    /// A fused kernel hands over what has no name of its own.
    private Optional<Value> fused(NpuCall call, Launch launch) {
        return KnownKernel.of(launch).flatMap(kernel -> switch (kernel) {
            case GEMV_SWIGLU_RMS -> made(Operator.GatedProduct.class, _ -> true);
            case GEMV_ADD -> call.argument(launch.inputs().get("matrix").argument()).source() instanceof Source.Weight weight
                    ? made(Operator.Projection.class, operator -> operator.weight().tensor().equals(weight.tensor()))
                            .flatMap(product -> made(Operator.Sum.class, sum -> block.beforeBias(sum.branch()).equals(product))) : Optional.empty();
            case GEMV, GEMM, BIAS_ADD, RMS_NORM, ROPE, SILU_MUL, FLASH_ATTENTION, ELTWISE_ADD -> Optional.empty();
        });
    }

    private <T extends Operator> Optional<Value> made(Class<T> kind, Predicate<T> wanted) {
        return block.operators().stream().filter(kind::isInstance).map(kind::cast).filter(wanted).map(Operator::output).findFirst();
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
