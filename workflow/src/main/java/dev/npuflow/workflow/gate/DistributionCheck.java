package dev.npuflow.workflow.gate;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// The third rule: the whole distribution over the next token, where the others see the five best ids. The model with nothing rounded between its operators
/// is the middle; the reference, which rounds as bf16 pipelines do, is one noise away from it, and the NPU may be [#FACTOR] noises away.
///
///     unrounded ──── noise ────► reference
///         └───────── at most 3 × noise ─────────► NPU
///
/// @param mean         mean KL(unrounded ‖ NPU) over the steps, in nats
/// @param noise        mean KL(unrounded ‖ reference) over the same steps
/// @param largest      of one step; reported, decides nothing
/// @param largestNoise the same of the reference
/// @param steps        judged, 1 or more
public record DistributionCheck(double mean, double noise, double largest, double largestNoise, int steps) {

    /// So many times the noise a plan may be off on average. An honest plan is about as far from the unrounded model as the reference is, for both round to
    /// bf16, only elsewhere; `docs/faults.md` shows where honest and wrong plans lie.
    public static final double FACTOR = 3;

    /// What is said where the reference's logits are not known.
    public static final String NOT_JUDGED = "the distribution is not judged: recorded tokens hold no logits";

    /// Of steps in order.
    static DistributionCheck of(List<Double> divergences, List<Double> noises) {
        return new DistributionCheck(mean(divergences), mean(noises), largest(divergences), largest(noises), divergences.size());
    }

    /// Over all steps of all prompts; empty where a prompt has none, or there is no prompt.
    static Optional<DistributionCheck> over(List<Optional<DistributionCheck>> prompts) {
        if (prompts.isEmpty() || prompts.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        List<DistributionCheck> all = prompts.stream().flatMap(Optional::stream).toList();
        int steps = all.stream().mapToInt(DistributionCheck::steps).sum();
        return Optional.of(new DistributionCheck(weighted(all, DistributionCheck::mean) / steps, weighted(all, DistributionCheck::noise) / steps,
                largest(all.stream().map(DistributionCheck::largest).toList()), largest(all.stream().map(DistributionCheck::largestNoise).toList()), steps));
    }

    /// Of the mean to the noise; 0 where neither is anything.
    public double ratio() {
        return mean == 0 ? 0 : mean / noise;
    }

    /// Fails closed: what is no number has not passed.
    public boolean passed() {
        return mean <= FACTOR * noise;
    }

    /// One clause, such as `mean KL 9.3e-05 is 0.84 × the bf16 noise of 1.1e-04, at most 3 ×`.
    public String text() {
        return format(ROOT, "mean KL %.2e is %s the bf16 noise of %.2e, at most %.0f ×", mean,
                noise > 0 ? format(ROOT, "%.2f ×", ratio()) : mean == 0 ? "equal to" : "above", noise, FACTOR);
    }

    private static double weighted(List<DistributionCheck> checks, ToDoubleFunction<DistributionCheck> figure) {
        double sum = 0;
        for (DistributionCheck check : checks) {
            sum += figure.applyAsDouble(check) * check.steps();
        }
        return sum;
    }

    private static double mean(List<Double> values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.size();
    }

    private static double largest(List<Double> values) {
        double largest = 0;
        for (double value : values) {
            largest = Math.max(largest, value);
        }
        return largest;
    }
}
