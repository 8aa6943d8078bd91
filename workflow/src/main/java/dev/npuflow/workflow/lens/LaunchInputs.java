package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Operand;
import dev.npuflow.workflow.block.Dimensions;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Operator.GatedProduct;
import dev.npuflow.workflow.lens.Definition.Gating;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Which of the reference's outputs and which weight each port of a launch should read. Empty for a launch that computes something else than its output's
/// operator, alone or with those before it that its kernel fuses.
final class LaunchInputs {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ModelShape model;
    private final Definition definition;

    LaunchInputs(ModelShape model, Definition definition) {
        this.model = model;
        this.definition = definition;
    }

    int rotaryDim() {
        return model.rotaryDim();
    }

    Definition definition() {
        return definition;
    }

    /// The values that a launch computes, the one that it hands over last.
    List<Key> computed(Launch launch, Key output) {
        return KnownKernel.of(launch).<List<Key>>map(kernel -> switch (kernel) {
            case GEMV_SWIGLU_RMS -> gating(output).stream().flatMap(gating -> Stream.concat(gating.norm().stream().map(Operator::output),
                    Stream.of(gating.product().gate(), gating.product().up(), gating.product().output()))).map(value -> new Key(output.layer(), value)).toList();
            case GEMV_ADD -> sum(output).map(sum -> List.of(new Key(output.layer(), sum.branch()), output)).orElse(List.of(output));
            case GEMV, GEMM, BIAS_ADD, RMS_NORM, ROPE, SILU_MUL, FLASH_ATTENTION, ELTWISE_ADD -> List.of(output);
        }).orElse(List.of(output));
    }

    /// The weight that a port should read, by its Hugging Face name; empty where the port takes none of its operator's.
    Optional<String> weight(Launch launch, String port, Key key) {
        return KnownKernel.of(launch).filter(kernel -> kernel.takesWeightAt(port)).flatMap(kernel -> switch (kernel) {
            case GEMV, GEMM -> product(key).flatMap(definition::weight);
            case BIAS_ADD -> made(key, Operator.Bias.class).flatMap(_ -> definition.weight(key));
            case RMS_NORM -> made(key, Operator.Norm.class).flatMap(_ -> definition.weight(key));
            case GEMV_ADD -> sum(key).flatMap(sum -> product(new Key(key.layer(), sum.branch()))).flatMap(definition::weight);
            case GEMV_SWIGLU_RMS -> gating(key).flatMap(Gating::norm).map(norm -> norm.weight().in(key.layer()));
            case ROPE, SILU_MUL, FLASH_ATTENTION, ELTWISE_ADD -> Optional.empty();
        });
    }

    /// The weights whose rows a launch should read in turn, by their Hugging Face names; empty where its kernel takes none so.
    Optional<List<String>> inTurn(Launch launch, Key key) {
        return KnownKernel.of(launch).equals(Optional.of(KnownKernel.GEMV_SWIGLU_RMS))
                ? gating(key).map(gating -> List.of(gating.gate().weight().in(key.layer()), gating.up().weight().in(key.layer()))) : Optional.empty();
    }

    Map<String, Key> activations(Seen.OnNpu seen, ContentFinder finder) {
        Key key = seen.key();
        List<Key> sources = definition.sources(key);
        return KnownKernel.of(seen.launch()).<Map<String, Key>>map(kernel -> switch (kernel) {
            case GEMV -> multiplied(key).map(in -> Map.of("vector", in)).orElse(Map.of());
            case GEMM -> multiplied(key).map(in -> Map.of("activations", in)).orElse(Map.of());
            case BIAS_ADD -> made(key, Operator.Bias.class).map(_ -> Map.of("in", sources.getFirst())).orElse(Map.of());
            case RMS_NORM -> made(key, Operator.Norm.class).map(_ -> Map.of("in", sources.getFirst())).orElse(Map.of());
            case ROPE -> made(key, Operator.Rotation.class).map(_ -> Map.of("in", sources.getFirst())).orElse(Map.of());
            case SILU_MUL -> made(key, GatedProduct.class).map(_ -> Map.of("gate", sources.get(0), "up", sources.get(1))).orElse(Map.of());
            case FLASH_ATTENTION -> made(key, Operator.Attention.class)
                    .map(_ -> Map.of("query", sources.get(0), "key", sources.get(1), "value", sources.get(2))).orElse(Map.of());
            case ELTWISE_ADD -> sum(key).map(_ -> summands(seen, sources, finder)).orElse(Map.of());
            case GEMV_ADD -> sum(key).flatMap(_ -> multiplied(sources.getFirst())).map(in -> Map.of("vector", in, "addend", sources.get(1)))
                    .orElse(Map.of());
            case GEMV_SWIGLU_RMS -> gating(key).flatMap(Gating::norm).map(norm -> Map.of("in", definition.source(key.layer(), norm.in()))).orElse(Map.of());
        }).orElse(Map.of());
    }

    private <T extends Operator> Optional<T> made(Key key, Class<T> kind) {
        return definition.maker(key).filter(kind::isInstance).map(kind::cast);
    }

    private Optional<Operator.Sum> sum(Key key) {
        return made(key, Operator.Sum.class);
    }

    private Optional<Gating> gating(Key key) {
        return made(key, GatedProduct.class).map(definition::gating);
    }

    /// The value before its bias, if a projection makes that.
    private Optional<Key> product(Key key) {
        return Optional.of(definition.beforeBias(key)).filter(product -> made(product, Operator.Projection.class).isPresent());
    }

    private Optional<Key> multiplied(Key key) {
        return product(key).map(product -> definition.sources(product).getFirst());
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
            return Bf16Rows.transposed(values, rows, Dimensions.of(model).heads(key.value()), model.headDim());
        }
        boolean lastOnly = seen.key().value().equals(ModelEnds.FINAL_NORM.output()) && rows > 1;
        return lastOnly ? Arrays.copyOfRange(values, values.length - values.length / rows, values.length) : values;
    }
}
