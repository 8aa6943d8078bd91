package dev.npuflow.workflow.gate;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.generation.Divergence;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.LogitFault;
import dev.npuflow.workflow.generation.Logits;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.generation.TopK;
import dev.npuflow.workflow.model.Vocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// Runs the NPU's side of the gate, once for all rules.
///
/// One run is enough. The NPU is always fed the reference's tokens; up to the first difference these are its own, so upstream's rule, which
/// looks no further, sees what two independent runs would show it:
///
///     step        0    1    2    3    4   …
///     reference   a    b    c    d    e
///     NPU fed     –    a    b    c    d       ← at step 2 still its own choice
///     NPU chose   a    b    X    d    Y
///                           ↑ upstream's rule   ↑ every-step rule goes on
///
/// The rule of the distribution looks at each step's logits as they come, against those that a [Yardstick] gives for the step; none is kept.
public final class GateRun {

    private GateRun() {}

    /// @param prompts      token ids, one array a prompt
    /// @param reference    one a prompt, in the same order
    /// @param progress     told each prompt as it starts
    /// @throws dev.npuflow.fault.NpuflowException NPF-503 for an empty prompt, NPF-501 for a vocabulary smaller than k
    public static GateResult run(TokenEngine npu, List<int[]> prompts, List<Expected> reference, GateRules rules, GenerationProgress progress) {
        Optional<String> unusable = unusable(prompts, reference, rules);
        if (unusable.isPresent()) {
            return GateResult.withoutComparison(Verdict.INFRA_ERROR, unusable.get(), rules);
        }
        prompts.forEach(ids -> Vocabulary.requireSome("the prompt", ids));
        List<PromptCheck> checks = new ArrayList<>();
        for (int i = 0; i < prompts.size() && rules.tokens() > 0; i++) {
            progress.prompt(i + 1, prompts.size(), rules.tokens());
            int vocabulary = Integer.MAX_VALUE;
            TokenTrace expected = reference.get(i).tokens();
            Forced forced = new Forced(rules, reference.get(i).yardstick());
            for (int step = 0; step < rules.tokens(); step++) {
                int fed = step == 0 ? 0 : expected.chosen().get(step - 1);
                if (fed < 0 || fed >= vocabulary) {
                    return GateResult.withoutComparison(Verdict.INFRA_ERROR,
                            format(ROOT, "reference token %d of prompt %d is outside the model's vocabulary of %d", fed, i, vocabulary), rules);
                }
                float[] logits = step == 0 ? npu.prefill(prompts.get(i)) : npu.decode(fed);
                vocabulary = logits.length;
                forced.add(logits);
            }
            List<Integer> ids = IntStream.of(prompts.get(i)).boxed().toList();
            checks.add(Gate.check(i, ids, forced.trace(), expected, rules, forced.faults, forced.margin(), forced.distribution()));
        }
        return Gate.decide(checks, prompts.size(), rules);
    }

    private static Optional<String> unusable(List<int[]> prompts, List<Expected> reference, GateRules rules) {
        if (prompts.size() != reference.size()) {
            return Optional.of(format(ROOT, "%d reference traces for %d prompts", reference.size(), prompts.size()));
        }
        return IntStream.range(0, reference.size())
                .mapToObj(i -> Gate.shapeFaults("reference", reference.get(i).tokens(), rules).stream().findFirst()
                        .map(fault -> format(ROOT, "prompt %d: %s", i, fault)))
                .flatMap(Optional::stream).findFirst();
    }

    /// The NPU's record of one prompt as it grows.
    private static final class Forced {

        private final GateRules rules;
        private final Optional<? extends Yardstick> yardstick;
        private final List<Integer> chosen = new ArrayList<>();
        private final List<List<Integer>> topK = new ArrayList<>();
        private final List<String> faults = new ArrayList<>();
        private final List<Double> divergences = new ArrayList<>();
        private final List<Double> noises = new ArrayList<>();
        private double margin = Double.POSITIVE_INFINITY;

        Forced(GateRules rules, Optional<? extends Yardstick> yardstick) {
            this.rules = rules;
            this.yardstick = yardstick;
            yardstick.filter(held -> held.steps() < rules.tokens())
                    .ifPresent(held -> faults.add(format(ROOT, "the reference's logits hold %d steps of %d", held.steps(), rules.tokens())));
        }

        void add(float[] logits) {
            Optional<LogitFault> fault = Logits.fault(logits);
            fault.ifPresent(f -> faults.add(format(ROOT, "the NPU's logits of step %d %s", chosen.size(), f.text())));
            if (faults.isEmpty()) {
                yardstick.ifPresent(held -> measure(held, chosen.size(), logits));
            }
            List<Integer> best = TopK.of(logits, rules.k());
            chosen.add(best.getFirst());
            topK.add(best);
            if (fault.isEmpty() && rules.k() > 1) {
                margin = Math.min(margin, (double) logits[best.get(0)] - logits[best.get(1)]);
            }
        }

        private void measure(Yardstick held, int step, float[] logits) {
            if (held.vocabulary() != logits.length) {
                faults.add(format(ROOT, "the NPU has %d logits, the reference %d", logits.length, held.vocabulary()));
                return;
            }
            divergences.add(Divergence.of(held.unrounded(step), logits));
            noises.add(held.noise(step));
        }

        /// Of all steps or of none: a prompt with a fault has failed, and a part of its steps says nothing.
        Optional<DistributionCheck> distribution() {
            return divergences.size() == rules.tokens() ? Optional.of(DistributionCheck.of(divergences, noises)) : Optional.empty();
        }

        TokenTrace trace() {
            return new TokenTrace(chosen, topK);
        }

        OptionalDouble margin() {
            return Double.isFinite(margin) ? OptionalDouble.of(margin) : OptionalDouble.empty();
        }
    }
}
