package dev.npuflow.workflow.ablation;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Attempt;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.GuardedSkill.Answer;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/// Applies skills one after the other, each until its plan compiles, as a phase does, but keeps what it makes whatever it is worth.
final class SkillSet {

    private final Target target;
    private final Phase phase;
    private final SortedMap<String, String> options;
    private final Duration limit;

    SkillSet(Target target, Phase phase, SortedMap<String, String> options, Duration limit) {
        this.target = target;
        this.phase = phase;
        this.options = options;
        this.limit = limit;
    }

    /// What came of a set.
    sealed interface Made {

        /// @param remarks on skills that did not apply
        record Plan(Deployment deployment, List<String> remarks) implements Made {}

        record Nothing(String reason) implements Made {}
    }

    Made apply(Deployment baseline, List<LoadedSkill> skills) {
        Deployment current = baseline;
        List<String> remarks = new ArrayList<>();
        for (LoadedSkill skill : skills) {
            GuardedSkill guarded = new GuardedSkill(skill.skill(), limit);
            switch (guarded.assess(current, context(List.of()))) {
                case Answer.Value(Assessment.Applies _) -> {
                    switch (compiling(guarded, skill.name(), current)) {
                        case Made.Plan plan -> current = plan.deployment();
                        case Made.Nothing nothing -> {
                            return nothing;
                        }
                    }
                }
                case Answer.Value(Assessment.DoesNotApply doesNot) -> remarks.add("%s does not apply: %s".formatted(skill.name(), doesNot.reason()));
                case Answer.Refusal(String reason, List<Blocker> _) -> remarks.add("%s refuses: %s".formatted(skill.name(), reason));
                case Answer.Crash(String reason) -> remarks.add("%s crashed: %s".formatted(skill.name(), reason));
            }
        }
        return new Made.Plan(current, remarks);
    }

    private Made compiling(GuardedSkill skill, String name, Deployment current) {
        List<Attempt> attempts = new ArrayList<>();
        while (true) {
            Deployment changed;
            switch (skill.apply(current, context(attempts))) {
                case Answer.Value(Deployment value) -> changed = value;
                case Answer.Refusal(String reason, List<Blocker> _) -> {
                    return new Made.Nothing("%s refuses: %s".formatted(name, reason));
                }
                case Answer.Crash(String reason) -> {
                    return new Made.Nothing("%s crashed: %s".formatted(name, reason));
                }
            }
            String hash = changed.hash();
            if (!attempts.isEmpty() && hash.equals(current.hash())) {
                return new Made.Nothing(blocked(name, attempts.getLast()));
            }
            List<Blocker> blockers = target.compile(changed);
            if (blockers.isEmpty()) {
                return sameElsewhere(current, changed) ? new Made.Plan(changed, List.of())
                        : new Made.Nothing("%s changed more than the %s plan".formatted(name, phase.name().toLowerCase(Locale.ROOT)));
            }
            boolean repeats = attempts.stream().anyMatch(attempt -> attempt.plan().equals(hash));
            attempts.add(new Attempt(hash, blockers));
            if (repeats || attempts.size() == PhaseOptions.MOST_COMPILATIONS) {
                return new Made.Nothing(blocked(name, attempts.getLast()));
            }
        }
    }

    private static String blocked(String name, Attempt attempt) {
        return "%s: %s in %s".formatted(name, attempt.blockers().getFirst().limit(), attempt.blockers().getFirst().launch());
    }

    private boolean sameElsewhere(Deployment before, Deployment after) {
        return after.withPhase(phase, before.phase(phase)).hash().equals(before.hash());
    }

    private SkillContext context(List<Attempt> attempts) {
        return new SkillContext(phase, target.device(), options, target.placement(), attempts);
    }
}
