package dev.npuflow.workflow.lens;

import dev.npuflow.plan.HostKind;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import java.util.List;
import java.util.Optional;

/// What a host operation's inputs hold, against what its operator is made from.
final class HostEvidence {

    private static final List<String> ATTENTION_INPUTS = List.of("query", "key", "value");

    private final ContentFinder finder;
    private final LaunchInputs inputs;
    private final WrongInput wrong;

    HostEvidence(ContentFinder finder, LaunchInputs inputs, WrongInput wrong) {
        this.finder = finder;
        this.inputs = inputs;
        this.wrong = wrong;
    }

    Optional<Explanation> explain(Seen.OnHost seen) {
        boolean handsOver = seen.op().kind() == HostKind.KV_CACHE_EXTRACT;
        List<Key> sources = handsOver ? List.of(seen.key()) : inputs.definition().sources(seen.key());
        List<String> parameters = switch (seen.op().kind()) {
            case DECODE_ATTENTION, PREFILL_ATTENTION -> ATTENTION_INPUTS;
            case RMS_NORM -> List.of("in");
            case ADD -> List.of("a", "b");
            case SILU_MUL -> List.of("gate", "up");
            case KV_CACHE_EXTRACT -> List.of(inputs.definition().block().attention().value().equals(seen.key().value()) ? "value" : "key");
            case EMBED, ROPE_TABLE, TRANSPOSE, LAST_ROW, ARGMAX -> List.of();
        };
        for (int i = 0; i < Math.min(parameters.size(), sources.size()); i++) {
            Optional<Explanation> found = input(seen, parameters.get(i), sources.get(i));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Explanation> input(Seen.OnHost seen, String parameter, Key key) {
        String value = seen.op().inputs().get(parameter);
        Optional<short[]> found = seen.values().find(value);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Content content = finder.activation(found.get(), inputs.expected(seen, key), key, seen.pass());
        return content instanceof Content.Right ? Optional.empty()
                : Optional.of(Explanation.of(wrong.onHost(seen, value, key, content),
                        "where %s should be, value %s holds %s".formatted(key.text(), value, content.text())));
    }
}
