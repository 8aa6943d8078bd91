package dev.npuflow.workflow.lens;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.LanguageModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an operator's output is instead of what it should be, when its inputs tell nothing.
final class OutputEvidence {

    /// A computation of the lens in double precision is this close to a bf16 one that means the same; wrong ones are ten times further.
    private static final double MEANS_THE_SAME = 0.03;

    private final LanguageModel model;
    private final ReferenceSteps reference;
    private final Definition definition;

    OutputEvidence(LanguageModel model, ReferenceSteps reference) {
        this.model = model;
        this.reference = reference;
        this.definition = Definition.of(model.config());
    }

    Explanation explain(Seen seen) {
        if (!Bf16Rows.finite(seen.actual())) {
            return Explanation.of(Hypothesis.NOT_FINITE, "the output holds values that are not finite");
        }
        if (Bf16Rows.zeros(seen.actual())) {
            return Explanation.of(Hypothesis.BARE_HERD, "every element of the output is zero");
        }
        return otherLayout(seen).or(() -> another(seen)).or(() -> variant(seen)).orElseGet(() -> Explanation.of(Hypothesis.ARITHMETIC,
                "every input that can be judged is right, the output is no other operator's"));
    }

    private Optional<Explanation> otherLayout(Seen seen) {
        int heads = model.config().dimensions().heads(seen.key().value());
        boolean transposed = heads > 0 && seen.rows() > 1
                && Bf16Rows.difference(seen.actual(), Bf16Rows.transposed(seen.expected(), seen.rows(), heads, model.config().headDim()),
                        seen.rows()) < MEANS_THE_SAME;
        return transposed ? Optional.of(Explanation.of(Hypothesis.LAYOUT, "the values are right, heads and positions stand the other way round"))
                : Optional.empty();
    }

    /// The output is that of another operator, layer or step.
    private Optional<Explanation> another(Seen seen) {
        for (int step = seen.pass().step(); step >= Math.min(1, seen.pass().step()); step--) {
            for (Map.Entry<Key, short[]> known : reference.pass(step).outputs().entrySet()) {
                boolean itself = step == seen.pass().step() && known.getKey().equals(seen.key());
                if (!itself && known.getValue().length == seen.actual().length
                        && Bf16Rows.difference(seen.actual(), known.getValue(), seen.rows()) < MEANS_THE_SAME) {
                    Content content = new Content.Output(known.getKey(), step, seen.pass().step());
                    return Optional.of(Explanation.of(hypothesis(seen.key(), known.getKey()), "the output is " + content.text()));
                }
            }
        }
        return Optional.empty();
    }

    private Hypothesis hypothesis(Key key, Key found) {
        if (key.name().equals(found.name())) {
            return found.layer() == key.layer() ? Hypothesis.STALE_STATIC : Hypothesis.LAYER_INDEXED_WEIGHT;
        }
        if (definition.isBiasOf(key.value(), found.value())) {
            return Hypothesis.DROPPED_BIAS;
        }
        boolean unsummed = definition.maker(key).filter(Operator.Sum.class::isInstance).isPresent();
        return definition.areGateAndUp(key.value(), found.value()) ? Hypothesis.SWAPPED_GATE_UP : unsummed ? Hypothesis.DROPPED_RESIDUAL : Hypothesis.WRONG_OPERAND;
    }

    /// The output is what a known mistake would compute.
    private Optional<Explanation> variant(Seen seen) {
        List<Variant> variants = definition.maker(seen.key()).map(maker -> switch (maker) {
            case Operator.Rotation rotation -> rotations(seen, rotation.in());
            case Operator.Attention _ -> attentions(seen);
            case Operator.Norm _, Operator.Projection _, Operator.Bias _, Operator.GatedProduct _, Operator.Sum _ -> List.<Variant>of();
        }).orElse(List.of());
        return variants.stream().min(Comparator.comparingDouble(variant -> apart(seen, variant))).filter(best -> apart(seen, best) < MEANS_THE_SAME)
                .map(best -> Explanation.of(best.hypothesis(), format(ROOT, "%s gives this output to %.4f, the right computation to %.4f",
                        best.text(), apart(seen, best), seen.difference())));
    }

    private record Variant(Hypothesis hypothesis, String text, short[] values) {}

    private static double apart(Seen seen, Variant variant) {
        return Bf16Rows.difference(seen.actual(), variant.values(), seen.rows());
    }

    private List<Variant> rotations(Seen seen, Value unrotated) {
        Rotation rotation = new Rotation(model.config());
        short[] in = seen.pass().get(new Key(seen.key().layer(), unrotated));
        int position = seen.pass().firstPosition();
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant(Hypothesis.ROPE_CONVENTION, "rotating neighbouring pairs (2i, 2i + 1)",
                rotation.apply(in, position, seen.rows(), seen.pass().length(), true)));
        for (int other = position + 2; other >= 0; other--) {
            if (other != position) {
                variants.add(new Variant(Hypothesis.ROPE_POSITION, "the rotation of position " + other,
                        rotation.apply(in, other, seen.rows(), seen.pass().length(), false)));
            }
        }
        return variants;
    }

    private List<Variant> attentions(Seen seen) {
        AttentionHistory history = AttentionHistory.of(model.config(), reference, seen.pass(), seen.key().layer());
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant(Hypothesis.GQA_MAPPING, "key/value head h mod kv_heads", history.attend(AttentionHistory.Mistake.HEAD_MODULO)));
        variants.add(new Variant(Hypothesis.KV_POSITION, "leaving out the token's own key and value",
                history.attend(AttentionHistory.Mistake.OWN_MISSING)));
        variants.add(new Variant(Hypothesis.KV_POSITION, "leaving out the first key and value",
                history.attend(AttentionHistory.Mistake.FIRST_MISSING)));
        variants.add(new Variant(Hypothesis.KV_POSITION, "key and value written over those of the position before",
                history.attend(AttentionHistory.Mistake.PREDECESSOR_OVERWRITTEN)));
        variants.add(new Variant(Hypothesis.KV_POSITION, "one position of zeros too many", history.attend(AttentionHistory.Mistake.ONE_TOO_MANY)));
        for (int other = 0; other < model.config().layers(); other++) {
            if (other != seen.key().layer()) {
                variants.add(new Variant(Hypothesis.OVERWRITTEN_OUTPUT, "the keys and values of layer " + other,
                        history.withCacheOf(reference, other, history.positions())));
                variants.add(new Variant(Hypothesis.OVERWRITTEN_OUTPUT, "the keys and values of layer %d at all positions before".formatted(other),
                        history.withCacheOf(reference, other, 0)));
            }
        }
        if (seen.pass().positions() > 1) {
            variants.add(new Variant(Hypothesis.LAYOUT, "reading and writing the other layout",
                    history.attend(AttentionHistory.Mistake.OTHER_LAYOUT)));
        }
        return variants;
    }

    static short round(double value) {
        return Bfloat16.fromFloat((float) value);
    }
}
