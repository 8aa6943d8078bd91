package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.lens.Localization.Involved;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.reference.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What a launch's ports read, against what its operator is made from.
final class InputEvidence {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ContentFinder finder;
    private final LaunchInputs inputs;

    InputEvidence(ContentFinder finder, LaunchInputs inputs) {
        this.finder = finder;
        this.inputs = inputs;
    }

    /// The first port that reads something else; empty if every port that can be judged reads what it should.
    Optional<Explanation> explain(Seen.OnNpu seen) {
        Map<String, Key> activations = inputs.activations(seen, finder);
        for (Map.Entry<String, Operand> port : seen.launch().inputs().entrySet()) {
            Argument argument = seen.call().argument(port.getValue().argument());
            if (overwritten(seen, port.getValue())) {
                continue;
            }
            MemorySegment memory = seen.operands().port(port.getKey());
            Optional<Explanation> found = switch (argument.source()) {
                case Source.Weight weight -> weight(seen, argument, port.getKey(), weight, memory);
                case Source.LookUpTable _ -> table(seen, argument, memory);
                case Source.Activation _, Source.Packed _, Source.Scratch _ -> Optional.ofNullable(activations.get(port.getKey()))
                        .flatMap(key -> activation(seen, argument, key, memory));
                case Source.InterleavedWeights _ -> Optional.empty();
            };
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /// What the launch has written over cannot be looked at any more.
    private static boolean overwritten(Seen.OnNpu seen, Operand read) {
        return seen.launch().outputs().values().stream().anyMatch(written -> written.argument().equals(read.argument())
                && written.offset() < read.offset() + read.elements() && read.offset() < written.offset() + written.elements());
    }

    private Optional<Explanation> activation(Seen.OnNpu seen, Argument argument, Key key, MemorySegment memory) {
        short[] expected = inputs.expected(seen, key);
        short[] found = memory.asSlice(0, Math.min(memory.byteSize(), 2L * expected.length)).toArray(BF16);
        if (seen.key().operator() == Operator.ATTENTION && seen.rows() > 1 && !Bf16Rows.begins(found, expected)
                && Bf16Rows.begins(found, inputs.otherLayout(expected, key, seen))) {
            return Optional.of(explanation(seen, argument, Hypothesis.LAYOUT, key.text(), new Content.OtherLayout()));
        }
        Content content = finder.activation(found, expected, key, seen.pass());
        return content instanceof Content.Right ? Optional.empty()
                : Optional.of(explanation(seen, argument, hypothesis(seen, argument, key, content), key.text(), content));
    }

    private Optional<Explanation> table(Seen.OnNpu seen, Argument argument, MemorySegment memory) {
        int rotary = inputs.rotaryDim();
        int heads = (int) (argument.elements() / rotary / seen.launch().shape().getOrDefault("positions", 1));
        long bytes = 2L * rotary * heads * seen.pass().positions();
        Content content = finder.table(memory.asSlice(0, Math.min(memory.byteSize(), bytes)).toArray(BF16), seen.pass(), heads);
        String expected = "the RoPE rows of position " + seen.pass().firstPosition();
        Hypothesis written = content instanceof Content.InterleavedTable ? Hypothesis.ROPE_CONVENTION : Hypothesis.ROPE_POSITION;
        return content instanceof Content.Right ? Optional.empty()
                : Optional.of(explanation(seen, argument, kept(argument).orElse(written), expected, content));
    }

    private Optional<Explanation> weight(Seen.OnNpu seen, Argument argument, String port, Source.Weight declared, MemorySegment memory) {
        String declaredTensor = declared.tensor().replace("{layer}", Integer.toString(Math.max(seen.key().layer(), 0)));
        Optional<String> defined = LaunchInputs.multiplies(seen.launch(), port, seen.key()) ? OperatorInputs.weight(seen.key()) : Optional.empty();
        String tensor = defined.orElse(declaredTensor);
        long firstRow = seen.key().operator() == Operator.LOGITS && defined.isPresent() ? seen.offset() : declared.firstRow();
        Content content = finder.weight(memory, tensor, firstRow);
        return content instanceof Content.Right ? Optional.empty()
                : Optional.of(explanation(seen, argument, hypothesis(seen, argument, tensor, content),
                        new Content.Weight(tensor, (int) firstRow).text(), content));
    }

    private static Hypothesis hypothesis(Seen.OnNpu seen, Argument argument, String tensor, Content content) {
        boolean otherLayer = content instanceof Content.Weight(String found, int _) && !found.equals(tensor) && role(found).equals(role(tensor));
        if (otherLayer) {
            return argument.transfer() != Transfer.EVERY_CALL && seen.call().bufferKey() == BufferKey.SHARED
                    ? Hypothesis.CROSS_LAYER_ALIAS : Hypothesis.LAYER_INDEXED_WEIGHT;
        }
        if (content instanceof Content.Weight(String found, int _)) {
            boolean swapped = role(found).contains("gate_proj") && role(tensor).contains("up_proj")
                    || role(found).contains("up_proj") && role(tensor).contains("gate_proj");
            return swapped ? Hypothesis.SWAPPED_GATE_UP : Hypothesis.WRONG_WEIGHT;
        }
        return kept(argument).orElse(Hypothesis.WRONG_WEIGHT);
    }

    private static String role(String tensor) {
        return tensor.replaceFirst("^model\\.layers\\.\\d+\\.", "");
    }

    private static Hypothesis hypothesis(Seen.OnNpu seen, Argument argument, Key key, Content content) {
        return switch (content) {
            case Content.Output(Key found, int _, int _) when found.operator() != key.operator() ->
                    inputOf(seen.key().operator(), key.operator(), found.operator());
            case Content.Output _ -> kept(argument).orElse(written(seen.call(), argument) ? Hypothesis.MISSING_INTERMEDIATE
                    : Hypothesis.MISSING_PRODUCER);
            case Content.Zeros _ -> kept(argument).orElse(Hypothesis.MISSING_PRODUCER);
            case Content.Right _, Content.Weight _, Content.Table _, Content.InterleavedTable _, Content.OtherLayout _, Content.Unknown _ ->
                kept(argument).orElse(written(seen.call(), argument) ? Hypothesis.MISSING_INTERMEDIATE : Hypothesis.WRONG_OPERAND);
        };
    }

    /// Another operator's output stands where `expected` should.
    private static Hypothesis inputOf(Operator reader, Operator expected, Operator found) {
        boolean branchAlone = expected == Operator.RESIDUAL && found == Operator.O || expected == Operator.OUTPUT && found == Operator.DOWN;
        boolean sumWithoutInput = (reader == Operator.RESIDUAL || reader == Operator.OUTPUT) && expected != Operator.O && expected != Operator.DOWN;
        if (branchAlone || sumWithoutInput) {
            return Hypothesis.DROPPED_RESIDUAL;
        }
        boolean swapped = expected == Operator.GATE && found == Operator.UP || expected == Operator.UP && found == Operator.GATE;
        return swapped ? Hypothesis.SWAPPED_GATE_UP : Hypothesis.WRONG_OPERAND;
    }

    /// What is to be thought of an argument that is wrong and was not written on this call.
    private static Optional<Hypothesis> kept(Argument argument) {
        return switch (argument.transfer()) {
            case EVERY_CALL -> Optional.empty();
            case STATIC -> Optional.of(Hypothesis.STALE_STATIC);
            case INTERMEDIATE -> Optional.of(Hypothesis.MISSING_INTERMEDIATE);
        };
    }

    private static boolean written(NpuCall call, Argument argument) {
        return call.launches().stream().flatMap(launch -> launch.outputs().values().stream())
                .anyMatch(operand -> operand.argument().equals(argument.name()));
    }

    private static Explanation explanation(Seen.OnNpu seen, Argument argument, Hypothesis hypothesis, String expected, Content content) {
        String key = seen.call().bufferKey() == BufferKey.PER_LAYER ? "of layer " + seen.key().layer() : "for all layers";
        Involved involved = new Involved(seen.call().name(), argument.name(), argument.transfer(),
                "%s %s/%s, one %s".formatted(seen.phase().name().toLowerCase(Locale.ROOT), seen.call().name(), argument.name(), key));
        return new Explanation(hypothesis, "where %s should be, the device holds %s".formatted(expected, content.text()), Optional.of(involved));
    }
}
