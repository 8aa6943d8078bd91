package dev.npuflow.workflow.gate;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.generation.TokenTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Decides whether a deployment is correct. Three rules, all must hold: upstream's, which judges the first difference, every step's, and that of the
/// distribution over all steps, where the reference's logits are known. Fails closed: what was not compared in full has not passed.
public final class Gate {

    private Gate() {}

    /// Compares recorded traces.
    ///
    /// @param margin       smallest top-1 margin of the NPU side, if known
    /// @param distribution of the NPU's logits, if they were measured
    /// @param faults of the NPU side, already known
    public static PromptCheck check(int index, List<Integer> prompt, TokenTrace npu, TokenTrace reference, GateRules rules, List<String> faults,
            OptionalDouble margin, Optional<DistributionCheck> distribution) {
        List<String> all = new ArrayList<>(faults);
        all.addAll(shapeFaults("NPU", npu, rules));
        all.addAll(shapeFaults("reference", reference, rules));
        return new PromptCheck(index, prompt, npu, reference, TopKRule.divergences(npu, reference, rules.k()), all, margin, distribution);
    }

    /// Sums the prompts up.
    ///
    /// @param asked number of prompts that were to be judged
    public static GateResult decide(List<PromptCheck> checks, int asked, GateRules rules) {
        if (asked == 0 || rules.tokens() < 1) {
            return new GateResult(Verdict.VACUOUS,
                    format(ROOT, "nothing was compared: %d prompts × %d tokens", asked, rules.tokens()), rules, checks, Optional.empty());
        }
        if (checks.size() != asked) {
            return new GateResult(Verdict.INFRA_ERROR, format(ROOT, "%d of %d prompts were compared", checks.size(), asked), rules, checks, Optional.empty());
        }
        Optional<PromptCheck> failed = checks.stream().filter(check -> !check.everyStepPassed() || !check.upstreamPassed()).findFirst();
        long passed = checks.stream().filter(PromptCheck::everyStepPassed).count();
        Optional<DistributionCheck> distribution = DistributionCheck.over(checks.stream().map(PromptCheck::distribution).toList());
        if (failed.isPresent()) {
            return new GateResult(Verdict.GATE_FAIL,
                    format(ROOT, "prompt %d: %s", failed.get().index(), failed.get().everyStepReason().orElseThrow()), rules, checks, distribution);
        }
        if (distribution.isPresent() && !distribution.get().passed()) {
            return new GateResult(Verdict.GATE_FAIL, distribution.get().text(), rules, checks, distribution);
        }
        return new GateResult(Verdict.PASS, format(ROOT, "%d of %d prompts × %d tokens within the two-way top-%d at every step; %s", passed, asked,
                rules.tokens(), rules.k(), distribution.map(DistributionCheck::text).orElse(DistributionCheck.NOT_JUDGED)), rules, checks, distribution);
    }

    /// What upstream truncates or prints a warning about.
    static List<String> shapeFaults(String side, TokenTrace trace, GateRules rules) {
        List<String> faults = new ArrayList<>();
        if (trace.chosen().size() != rules.tokens() || trace.topK().size() != rules.tokens()) {
            faults.add(format(ROOT, "the %s side has %d tokens and %d top-%d lists instead of %d", side, trace.chosen().size(),
                    trace.topK().size(), rules.k(), rules.tokens()));
        }
        for (int i = 0; i < Math.min(trace.chosen().size(), trace.topK().size()); i++) {
            List<Integer> best = trace.topK().get(i);
            if (best.size() < rules.k() || best.stream().distinct().count() != best.size()) {
                faults.add(format(ROOT, "%s step %d has no %d different top ids", side, i, rules.k()));
            } else if (!best.getFirst().equals(trace.chosen().get(i))) {
                faults.add(format(ROOT, "%s step %d chose %d, which is not the first of its top-%d (%s)", side, i, trace.chosen().get(i),
                        rules.k(), best));
            }
        }
        return faults;
    }
}
