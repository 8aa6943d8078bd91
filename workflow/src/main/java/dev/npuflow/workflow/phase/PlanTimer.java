package dev.npuflow.workflow.phase;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.decision.Comparison;
import dev.npuflow.workflow.decision.Decision;
import dev.npuflow.workflow.decision.Difference;
import dev.npuflow.workflow.decision.GainRule;
import dev.npuflow.workflow.decision.Noise;
import dev.npuflow.workflow.decision.Pair;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.decision.Restoration;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseDescription.Beside;
import dev.npuflow.workflow.phase.PhaseDescription.Measured;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Measures plans for a phase, as often as the target's repetition asks, and writes every sample down. All comparisons of times of a phase are made here (ADR 20).
final class PlanTimer {

    private final Target target;
    private final PhaseDescription description;
    private final PhaseOptions options;
    private final Prompt prompt;
    private final PhaseJournal journal;
    private List<Measured> baseline = List.of();
    private long runs;

    PlanTimer(Target target, PhaseDescription description, PhaseOptions options, Prompt prompt, PhaseJournal journal) {
        this.target = target;
        this.description = description;
        this.options = options;
        this.prompt = prompt;
        this.journal = journal;
    }

    /// Two plans side by side.
    ///
    /// @param before   measured anew where the target varies
    /// @param after    the changed plan
    /// @param decision by the figure of the phase
    /// @param beside   by its second figure, on the same samples, where any gain counts
    record Compared(PhaseState before, PhaseState after, Decision decision, Optional<Decision> beside) {}

    /// Whether what this run recorded need not be measured and judged again.
    boolean repeatsExactly() {
        return target.repetition() instanceof Repetition.Exact;
    }

    /// The plan that the phase starts from. Its samples give the noise of a target that varies.
    PhaseState baseline(Deployment start) {
        return switch (target.repetition()) {
            case Repetition.Exact _ -> measured(start);
            case Repetition.Varying varying -> {
                journal.stage("measuring");
                baseline = samples(start);
                journal.noise(noise(varying, description.milliseconds()));
                yield description.state(start, baseline);
            }
        };
    }

    /// A plan of this run: on a target that repeats exactly the recorded measurement stands for a new one.
    PhaseState measured(Deployment plan) {
        return switch (target.repetition()) {
            case Repetition.Exact _ -> description.state(plan, journal.measurement(plan.hash()).orElseGet(() -> {
                journal.stage("measuring");
                ProfileSummary profile = profile(plan);
                journal.measured(profile);
                return profile;
            }));
            case Repetition.Varying _ -> {
                journal.stage("measuring");
                yield description.state(plan, samples(plan));
            }
        };
    }

    /// @param check of each sample of the changed plan
    Compared compare(PhaseState before, Deployment changed, Consumer<ProfileSummary> check) {
        return switch (target.repetition()) {
            case Repetition.Exact _ -> {
                ProfileSummary profile = profile(changed);
                check.accept(profile);
                journal.measured(profile);
                yield exact(before, description.state(changed, profile), options.gain());
            }
            case Repetition.Varying varying -> paired(varying, before, changed, check, options.gain());
        };
    }

    /// What the phase came to: any gain counts, since each step of it did. A plan is not compared with itself.
    Compared overall(PhaseState start, PhaseState last) {
        GainRule any = options.gain().withMinimumGain(0);
        if (start.deployment().equals(last.deployment())) {
            return exact(start, start, any);
        }
        return switch (target.repetition()) {
            case Repetition.Exact _ -> exact(start, last, any);
            case Repetition.Varying varying -> {
                journal.begin(PhaseLoop.OVERALL);
                yield paired(varying, start, last.deployment(), _ -> {}, any);
            }
        };
    }

    private Compared exact(PhaseState before, PhaseState after, GainRule rule) {
        return new Compared(before, after, new Comparison.Exact(before.milliseconds(), after.milliseconds()).decide(rule),
                description.beside().map(beside -> new Comparison.Exact(beside.of(before), beside.of(after)).decide(rule.withMinimumGain(0))));
    }

    private Compared paired(Repetition.Varying varying, PhaseState before, Deployment changed, Consumer<ProfileSummary> check, GainRule rule) {
        List<Measured> old = new ArrayList<>();
        List<Measured> made = new ArrayList<>();
        Optional<Decision> decision = Optional.empty();
        while (decision.isEmpty() || decision.get() instanceof Decision.Undecided && old.size() < rule.mostPairs()) {
            journal.stage("measuring, pair " + (old.size() + 1));
            if (old.size() % 2 == 0) {
                old.add(sample(before.deployment(), _ -> {}));
                made.add(sample(changed, check));
            } else {
                made.add(sample(changed, check));
                old.add(sample(before.deployment(), _ -> {}));
            }
            decision = old.size() < rule.pairs() ? Optional.empty() : Optional.of(decide(varying, old, made, description.milliseconds(), rule));
        }
        decision.get().figures(rule).ifPresent(journal::compared);
        return new Compared(description.state(before.deployment(), old), description.state(changed, made), decision.get(),
                description.beside().map(Beside::milliseconds).map(figure -> decide(varying, old, made, figure, rule.withMinimumGain(0))));
    }

    private Decision decide(Repetition.Varying varying, List<Measured> old, List<Measured> made, ToDoubleFunction<ProfileSummary> figure, GainRule rule) {
        List<Pair> pairs = IntStream.range(0, old.size())
                .mapToObj(i -> new Pair(figure.applyAsDouble(old.get(i).profile()), figure.applyAsDouble(made.get(i).profile()))).toList();
        return new Comparison.Paired(pairs, noise(varying, figure)).decide(rule);
    }

    private Noise noise(Repetition.Varying varying, ToDoubleFunction<ProfileSummary> figure) {
        return Noise.of(varying, baseline.stream().map(each -> figure.applyAsDouble(each.profile())).toList());
    }

    /// A plan that was put back, measured again.
    ///
    /// @throws NpuflowException NPF-522 if it takes another time than before
    PhaseState restored(String skill, PhaseState before, Deployment plan) {
        return switch (target.repetition()) {
            case Repetition.Exact _ -> {
                ProfileSummary again = profile(plan);
                journal.measured(again);
                PhaseState state = description.state(plan, again);
                if (state.milliseconds() != before.milliseconds()) {
                    throw changed(skill, String.format(Locale.ROOT, "%.6f ms", state.milliseconds()), String.format(Locale.ROOT, "the figure before, %.6f ms", before.milliseconds()));
                }
                yield state;
            }
            case Repetition.Varying varying -> restored(noise(varying, description.milliseconds()), skill, before, plan);
        };
    }

    private PhaseState restored(Noise noise, String skill, PhaseState before, Deployment plan) {
        List<Measured> again = new ArrayList<>(samples(plan));
        PhaseState state = description.state(plan, again);
        Restoration found = Restoration.of(before.samples(), state.samples(), noise);
        while (found instanceof Restoration.Undecided && again.size() < options.gain().mostPairs()) {
            again.add(sample(plan, _ -> {}));
            state = description.state(plan, again);
            found = Restoration.of(before.samples(), state.samples(), noise);
        }
        if (found instanceof Restoration.Changed(Difference step)) {
            throw changed(skill, String.format(Locale.ROOT, "%.3f ms, a step of %+.1f %% with a %.1f %% interval from %+.1f to %+.1f %%", state.milliseconds(), 100 * step.mean(),
                    100 * Restoration.CONFIDENCE, 100 * step.lower(), 100 * step.upper()), String.format(Locale.ROOT, "the figure before, %.3f ms, within %.1f %%", before.milliseconds(), 100 * noise.share()));
        }
        return state;
    }

    private static NpuflowException changed(String skill, String found, String expected) {
        return NpuflowException.environment("NPF-522", "revert of " + skill, found, expected, "measuring the baseline again: the target changed");
    }

    private List<Measured> samples(Deployment plan) {
        return IntStream.range(0, options.gain().pairs()).mapToObj(_ -> sample(plan, _ -> {})).toList();
    }

    private Measured sample(Deployment plan, Consumer<ProfileSummary> check) {
        ProfileSummary profile = profile(plan);
        check.accept(profile);
        journal.sampled(profile);
        return new Measured(runs++, profile);
    }

    private ProfileSummary profile(Deployment plan) {
        return ProfileSummary.of(target.profile(plan, prompt, options.tokens(), true));
    }
}
