package dev.npuflow.workflow.gate;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// One step at which the two sides chose different tokens. "Test" is the NPU, as upstream calls it.
///
/// @param step            counted from 0, the token that prefill gives
/// @param testTopK        at most k ids, best first
/// @param referenceTopK   at most k ids, best first
/// @param testRank        1-based place of the test's token among the reference's top-k
/// @param referenceRank   1-based place of the reference's token among the test's top-k
public record StepCheck(int step, int testChosen, int referenceChosen, List<Integer> testTopK, List<Integer> referenceTopK, int k,
        OptionalInt testRank, OptionalInt referenceRank) {

    public StepCheck {
        testTopK = List.copyOf(testTopK);
        referenceTopK = List.copyOf(referenceTopK);
    }

    static StepCheck of(int step, int testChosen, int referenceChosen, List<Integer> testTopK, List<Integer> referenceTopK, int k) {
        List<Integer> test = firstOf(testTopK, k);
        List<Integer> reference = firstOf(referenceTopK, k);
        return new StepCheck(step, testChosen, referenceChosen, test, reference, k, rank(testChosen, reference), rank(referenceChosen, test));
    }

    public boolean passed() {
        return testRank.isPresent() && referenceRank.isPresent();
    }

    /// Upstream's words (docs/upstream.md, "Gate"); empty where the step passed.
    public Optional<String> failReason() {
        List<String> parts = new ArrayList<>();
        if (testRank.isEmpty()) {
            parts.add(format(ROOT, "test chose %d but it is not in ref top-%d (%s)", testChosen, k, referenceTopK));
        }
        if (referenceRank.isEmpty()) {
            parts.add(format(ROOT, "ref chose %d but it is not in test top-%d (%s)", referenceChosen, k, testTopK));
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
    }

    private static List<Integer> firstOf(List<Integer> ids, int k) {
        return ids.subList(0, Math.min(k, ids.size()));
    }

    private static OptionalInt rank(int id, List<Integer> ids) {
        int index = ids.indexOf(id);
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index + 1);
    }
}
