package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.reference.Operator;
import java.util.List;
import java.util.Optional;

/// What a host operation's inputs hold, against what its operator is made from.
final class HostEvidence {

    private static final List<String> ATTENTION_INPUTS = List.of("query", "key", "value");

    private final ContentFinder finder;
    private final ModelConfig config;
    private final LaunchInputs inputs;

    HostEvidence(ContentFinder finder, ModelConfig config, LaunchInputs inputs) {
        this.finder = finder;
        this.config = config;
        this.inputs = inputs;
    }

    Optional<Explanation> explain(Seen.OnHost seen) {
        List<Key> sources = OperatorInputs.activations(seen.key(), config.layers());
        List<String> parameters = switch (seen.op().kind()) {
            case DECODE_ATTENTION, PREFILL_ATTENTION -> ATTENTION_INPUTS;
            case RMS_NORM -> List.of("in");
            case ADD -> List.of("a", "b");
            case SILU_MUL -> List.of("gate", "up");
            case EMBED, ROPE_TABLE, KV_CACHE_EXTRACT, TRANSPOSE, LAST_ROW, ARGMAX -> List.of();
        };
        for (int i = 0; i < Math.min(parameters.size(), sources.size()); i++) {
            Optional<Explanation> wrong = input(seen, parameters.get(i), sources.get(i));
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private Optional<Explanation> input(Seen.OnHost seen, String parameter, Key key) {
        Optional<short[]> found = seen.values().find(seen.op().inputs().get(parameter));
        boolean headFirst = Layouts.headFirst(seen.op());
        int heads = key.operator() == Operator.Q_ROPED ? config.heads() : config.keyValueHeads();
        short[] seqFirst = inputs.expected(seen, key);
        boolean positional = seen.key().operator() == Operator.ATTENTION && seen.pass().positions() > 1;
        short[] transposed = positional ? Bf16Rows.transposed(seqFirst, seen.pass().positions(), heads, config.headDim()) : seqFirst;
        short[] expected = headFirst ? transposed : seqFirst;
        if (found.isEmpty() || Bf16Rows.begins(found.get(), expected)) {
            return Optional.empty();
        }
        if (positional && Bf16Rows.begins(found.get(), headFirst ? seqFirst : transposed)) {
            return Optional.of(Explanation.of(Hypothesis.LAYOUT, "the operation reads %s as %s, it is %s".formatted(seen.op().inputs().get(parameter),
                    headFirst ? "head-first" : "seq-first", headFirst ? "seq-first" : "head-first")));
        }
        Content content = finder.activation(found.get(), expected, key, seen.pass());
        Hypothesis hypothesis = content instanceof Content.Output(Key other, int _, int _) && other.operator() == key.operator()
                ? Hypothesis.MISSING_PRODUCER : Hypothesis.WRONG_OPERAND;
        return Optional.of(Explanation.of(hypothesis, "where %s should be, value %s holds %s".formatted(key.text(), seen.op().inputs().get(parameter),
                content.text())));
    }
}
