package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.lens.Localization.Involved;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What a launch's ports read, against what its operator is made from.
final class InputEvidence {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ContentFinder finder;
    private final WeightFinder weights;
    private final LaunchInputs inputs;
    private final WrongInput wrong;

    InputEvidence(ContentFinder finder, WeightFinder weights, LaunchInputs inputs, WrongInput wrong) {
        this.finder = finder;
        this.weights = weights;
        this.inputs = inputs;
        this.wrong = wrong;
    }

    /// The first port that reads something else; empty if every port that can be judged reads what it should.
    Optional<Explanation> explain(Seen.OnNpu seen) {
        Map<String, Key> activations = inputs.activations(seen, finder);
        for (Map.Entry<String, Operand> port : seen.launch().inputs().entrySet()) {
            Port read = new Port(port.getKey(), port.getValue(), seen.call().argument(port.getValue().argument()));
            Optional<Explanation> found = overwritten(seen, port.getValue()) ? accumulator(seen, read)
                    : judge(seen, read, source(read), Optional.ofNullable(activations.get(port.getKey())));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private record Port(String name, Operand operand, Argument argument) {}

    private Optional<Explanation> judge(Seen.OnNpu seen, Port port, Source source, Optional<Key> key) {
        MemorySegment memory = seen.operands().port(port.name());
        return switch (source) {
            case Source.Weight weight -> weight(seen, port, weight, memory);
            case Source.InterleavedWeights declared -> inTurn(seen, port, declared, memory);
            case Source.LookUpTable _ -> table(seen, port, memory);
            case Source.Activation _, Source.Scratch _, Source.Packed _ -> key.flatMap(found -> activation(seen, port, found, memory));
        };
    }

    /// Of a packed argument the part that the port begins in.
    private static Source source(Port port) {
        if (!(port.argument().source() instanceof Source.Packed packed)) {
            return port.argument().source();
        }
        long at = 0;
        for (int i = 0; i < packed.parts().size(); i++) {
            at += packed.sizes().get(i);
            if (port.operand().offset() < at) {
                return packed.parts().get(i);
            }
        }
        return packed;
    }

    /// What the launch has written over cannot be looked at any more.
    private static boolean overwritten(Seen.OnNpu seen, Operand read) {
        return seen.launch().outputs().values().stream().anyMatch(written -> WrongInput.overlap(written, read));
    }

    private static Optional<Explanation> accumulator(Seen.OnNpu seen, Port port) {
        return port.argument().transfer() == Transfer.EVERY_CALL || !WrongInput.accumulates(seen.call(), port.argument()) ? Optional.empty()
                : Optional.of(new Explanation(Hypothesis.ACCUMULATOR, "the launch adds to what the call before left there",
                        Optional.of(involved(seen, port.argument()))));
    }

    private Optional<Explanation> activation(Seen.OnNpu seen, Port port, Key key, MemorySegment memory) {
        short[] expected = inputs.expected(seen, key);
        short[] found = memory.asSlice(0, Math.min(memory.byteSize(), 2L * expected.length)).toArray(BF16);
        Content content = finder.activation(found, expected, key, seen.pass());
        return explanation(seen, port, content, key.text(), wrong.activation(seen, port.argument(), port.operand(), key, content));
    }

    private Optional<Explanation> table(Seen.OnNpu seen, Port port, MemorySegment memory) {
        int rotary = inputs.rotaryDim();
        int heads = (int) (port.argument().elements() / rotary / seen.launch().shape().getOrDefault("positions", 1));
        long bytes = 2L * rotary * heads * seen.pass().positions();
        Content content = finder.table(memory.asSlice(0, Math.min(memory.byteSize(), bytes)).toArray(BF16), seen.pass(), heads);
        return explanation(seen, port, content, "the RoPE rows of position " + seen.pass().firstPosition(),
                wrong.table(seen, port.argument(), port.operand(), content));
    }

    private Optional<Explanation> weight(Seen.OnNpu seen, Port port, Source.Weight declared, MemorySegment memory) {
        Optional<String> defined = inputs.weight(seen.launch(), port.name(), seen.key());
        String tensor = defined.orElse(ofLayer(declared, seen.key()));
        long firstRow = seen.key().value().equals(ModelEnds.LOGITS) && defined.isPresent() ? seen.offset() : declared.firstRow();
        Content content = weights.whole(memory, tensor, firstRow);
        return explanation(seen, port, content, new Content.Weight(tensor, (int) firstRow).text(),
                wrong.weight(seen, port.argument(), port.operand(), tensor, content));
    }

    private Optional<Explanation> inTurn(Seen.OnNpu seen, Port port, Source.InterleavedWeights declared, MemorySegment memory) {
        List<String> tensors = inputs.inTurn(seen.launch(), seen.key())
                .orElseGet(() -> declared.weights().stream().map(weight -> ofLayer(weight, seen.key())).toList());
        Content content = weights.inTurn(memory, tensors);
        return explanation(seen, port, content, new Content.WeightsInTurn(tensors).text(),
                wrong.weight(seen, port.argument(), port.operand(), tensors.getFirst(), content));
    }

    private static String ofLayer(Source.Weight weight, Key key) {
        return weight.tensor().replace("{layer}", Integer.toString(Math.max(key.layer(), 0)));
    }

    private static Optional<Explanation> explanation(Seen.OnNpu seen, Port port, Content content, String expected, Hypothesis hypothesis) {
        return content instanceof Content.Right ? Optional.empty()
                : Optional.of(new Explanation(hypothesis, "where %s should be, the device holds %s".formatted(expected, content.text()),
                        Optional.of(involved(seen, port.argument()))));
    }

    private static Involved involved(Seen.OnNpu seen, Argument argument) {
        String key = seen.call().bufferKey() == BufferKey.PER_LAYER ? "of layer " + seen.key().layer() : "for all layers";
        return new Involved(seen.call().name(), argument.name(), argument.transfer(),
                "%s %s/%s, one %s".formatted(seen.phase().name().toLowerCase(Locale.ROOT), seen.call().name(), argument.name(), key));
    }
}
