package dev.npuflow.workflow.gate;

import java.util.List;

/// A verification's outcome.
///
/// @param reason one line for people, also of a pass
public record GateResult(Verdict verdict, String reason, GateRules rules, List<PromptCheck> prompts) {

    public GateResult {
        prompts = List.copyOf(prompts);
        if (verdict == Verdict.PASS && (prompts.isEmpty() || !prompts.stream().allMatch(PromptCheck::everyStepPassed))) {
            throw new IllegalArgumentException("a pass needs at least one prompt, and every prompt passed: " + reason);
        }
    }

    /// A verification that came to no comparison.
    public static GateResult withoutComparison(Verdict verdict, String reason, GateRules rules) {
        return new GateResult(verdict, reason, rules, List.of());
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
