package dev.npuflow.workflow.ablation;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import dev.npuflow.workflow.target.Target;
import dev.npuflow.workflow.trial.SkillTrial;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialWatch;
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
            GuardedSkill guarded = new GuardedSkill(skill, limit);
            switch (new SkillTrial(guarded, current, context(), target::compile, TrialWatch.NONE).run()) {
                case Trial.Compiled compiled -> current = compiled.plan();
                case Trial.DoesNotApply(String reason) -> remarks.add("%s does not apply: %s".formatted(skill.name(), reason));
                case Trial.ChangedNothing _ -> remarks.add("%s said it applies and changed nothing".formatted(skill.name()));
                case Trial.Refused(String reason, var _) -> {
                    return new Made.Nothing("%s refuses: %s".formatted(skill.name(), reason));
                }
                case Trial.Crashed(SkillFault fault) -> {
                    return new Made.Nothing("%s crashed: %s".formatted(skill.name(), fault.reason()));
                }
                case Trial.TouchedAnotherPhase _ -> {
                    return new Made.Nothing("%s changed more than the %s plan".formatted(skill.name(), phase.name().toLowerCase(Locale.ROOT)));
                }
                case Trial.NotRepeatable _ -> {
                    return new Made.Nothing("%s is nondeterministic: asked twice for the same plan, it made two".formatted(skill.name()));
                }
                case Trial.DoesNotCompile(int _, Blocker first, boolean _) -> {
                    return new Made.Nothing("%s: %s in %s".formatted(skill.name(), first.limit(), first.launch()));
                }
            }
        }
        return new Made.Plan(current, remarks);
    }

    private SkillContext context() {
        return new SkillContext(phase, target.device(), options, target.placement(), List.of());
    }
}
