package dev.npuflow.workflow.gate;

import dev.npuflow.workflow.generation.TokenTrace;
import java.util.ArrayList;
import java.util.List;

/// Upstream's rule, written from docs/upstream.md, "Gate" line by line, and the every-step rule of docs/commands.md, verify. Shares nothing with the
/// code under test.
///
/// @param divergenceStep null for none
/// @param rankA          1-based place of the test's token in the reference's top-k, null if absent
/// @param rankB          1-based place of the reference's token in the test's top-k, null if absent
record UpstreamOracle(Integer divergenceStep, boolean ok, Integer rankA, Integer rankB, String reason) {

    static UpstreamOracle judge(TokenTrace test, TokenTrace ref, int k) {
        int n = Math.min(Math.min(test.chosen().size(), ref.chosen().size()), Math.min(test.topK().size(), ref.topK().size()));
        for (int i = 0; i < n; i++) {
            int testId = test.chosen().get(i);
            int refId = ref.chosen().get(i);
            if (testId == refId) {
                continue;
            }
            Integer a = null;
            Integer b = null;
            List<Integer> refTop = new ArrayList<>();
            List<Integer> testTop = new ArrayList<>();
            for (int r = 0; r < k; r++) {
                refTop.add(ref.topK().get(i).get(r));
                testTop.add(test.topK().get(i).get(r));
                if (ref.topK().get(i).get(r) == testId) {
                    a = r + 1;
                }
                if (test.topK().get(i).get(r) == refId) {
                    b = r + 1;
                }
            }
            String reason = "";
            if (a == null) {
                reason = "test chose " + testId + " but it is not in ref top-" + k + " (" + refTop + ")";
            }
            if (b == null) {
                reason += (reason.isEmpty() ? "" : "; ") + "ref chose " + refId + " but it is not in test top-" + k + " (" + testTop + ")";
            }
            return new UpstreamOracle(i, a != null && b != null, a, b, reason);
        }
        return new UpstreamOracle(null, true, null, null, "");
    }

    /// Whether every step holds; the test side was fed the reference's tokens.
    static boolean everyStep(TokenTrace test, TokenTrace ref, int k) {
        for (int i = 0; i < ref.chosen().size(); i++) {
            if (!test.topK().get(i).subList(0, k).contains(ref.chosen().get(i)) || !ref.topK().get(i).subList(0, k).contains(test.chosen().get(i))) {
                return false;
            }
        }
        return true;
    }
}
