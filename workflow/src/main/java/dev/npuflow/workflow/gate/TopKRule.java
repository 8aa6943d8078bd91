package dev.npuflow.workflow.gate;

import dev.npuflow.workflow.generation.TokenTrace;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The two-way top-k rule on two traces: where the tokens differ, each side's must be among the other's k best.
final class TopKRule {

    private TopKRule() {}

    /// Upstream's rule (docs/upstream.md, "Gate"), its silent truncation to the shortest list included: only the first difference is judged,
    /// and what follows it does not matter. So the test side may go on with the reference's tokens after it.
    ///
    /// @return the first difference; empty where there is none
    static Optional<StepCheck> firstDivergence(TokenTrace test, TokenTrace reference, int k) {
        return divergences(test, reference, k).stream().findFirst();
    }

    /// Every difference. Meaningful for all steps only where the test side was fed the reference's tokens.
    static List<StepCheck> divergences(TokenTrace test, TokenTrace reference, int k) {
        int steps = IntStream.of(test.chosen().size(), reference.chosen().size(), test.topK().size(), reference.topK().size()).min().getAsInt();
        return IntStream.range(0, steps)
                .filter(i -> !test.chosen().get(i).equals(reference.chosen().get(i)))
                .mapToObj(i -> StepCheck.of(i, test.chosen().get(i), reference.chosen().get(i), test.topK().get(i), reference.topK().get(i), k))
                .toList();
    }
}
