package dev.npuflow.workflow.gate;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.generation.TokenTrace;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// One prompt under the rules.
///
/// @param index         of the prompt, from 0
/// @param npu           the NPU's tokens: its own up to the first difference, from there on fed the reference's
/// @param divergences   every step at which the two chose different tokens, in order
/// @param faults        why the comparison cannot count at all, one line each: too few steps, logits without meaning, …
/// @param minimumMargin smallest distance of the NPU's best logit from its second best; empty for a recorded trace
/// @param distribution  reported of one prompt, decided over all; empty where it was not measured
public record PromptCheck(int index, List<Integer> prompt, TokenTrace npu, TokenTrace reference, List<StepCheck> divergences,
        List<String> faults, OptionalDouble minimumMargin, Optional<DistributionCheck> distribution) {

    public PromptCheck {
        prompt = List.copyOf(prompt);
        divergences = List.copyOf(divergences);
        faults = List.copyOf(faults);
    }

    /// The step upstream's rule looks at.
    public Optional<StepCheck> firstDivergence() {
        return divergences.stream().findFirst();
    }

    /// The step that fails the every-step rule first.
    public Optional<StepCheck> firstFailure() {
        return divergences.stream().filter(step -> !step.passed()).findFirst();
    }

    public long failedSteps() {
        return divergences.stream().filter(step -> !step.passed()).count();
    }

    /// Steps compared.
    public int steps() {
        return Math.min(npu.chosen().size(), reference.chosen().size());
    }

    /// Upstream's rule, closed where upstream's is open.
    public boolean upstreamPassed() {
        return faults.isEmpty() && firstDivergence().map(StepCheck::passed).orElse(true);
    }

    public boolean everyStepPassed() {
        return faults.isEmpty() && firstFailure().isEmpty();
    }

    /// Why upstream's rule failed; empty where it passed.
    public Optional<String> upstreamReason() {
        return faults.isEmpty() ? firstDivergence().flatMap(StepCheck::failReason) : Optional.of(String.join("; ", faults));
    }

    /// Why the every-step rule failed; empty where it passed.
    public Optional<String> everyStepReason() {
        return faults.isEmpty()
                ? firstFailure().flatMap(StepCheck::failReason).map(text -> format(ROOT, "step %d: %s", firstFailure().orElseThrow().step(), text))
                : Optional.of(String.join("; ", faults));
    }
}
