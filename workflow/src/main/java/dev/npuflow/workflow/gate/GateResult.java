package dev.npuflow.workflow.gate;

import java.util.List;
import java.util.Optional;

/// A verification's outcome.
///
/// @param reason       one line for people, also of a pass
/// @param distribution over all prompts; empty where it was not judged
public record GateResult(Verdict verdict, String reason, GateRules rules, List<PromptCheck> prompts, Optional<DistributionCheck> distribution) {

    public GateResult {
        prompts = List.copyOf(prompts);
        if (verdict == Verdict.PASS && (prompts.isEmpty() || !prompts.stream().allMatch(PromptCheck::everyStepPassed))) {
            throw new IllegalArgumentException("a pass needs at least one prompt, and every prompt passed: " + reason);
        }
        if (verdict == Verdict.PASS && distribution.isPresent() && !distribution.get().passed()) {
            throw new IllegalArgumentException("a pass needs a distribution within its limit: " + distribution.get().text());
        }
    }

    /// A verification that came to no comparison.
    public static GateResult withoutComparison(Verdict verdict, String reason, GateRules rules) {
        return new GateResult(verdict, reason, rules, List.of(), Optional.empty());
    }

    public boolean passed() {
        return verdict == Verdict.PASS;
    }

    public long upstreamPassed() {
        return prompts.stream().filter(PromptCheck::upstreamPassed).count();
    }

    public long everyStepPassed() {
        return prompts.stream().filter(PromptCheck::everyStepPassed).count();
    }
}
