package dev.npuflow.workflow.ablation;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialBench;
import dev.npuflow.workflow.trial.TrialWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Applies skills one after the other, each until its plan compiles, as a phase does, but keeps what it makes whatever it is worth.
final class SkillSet {

    private final TrialBench bench;
    private final Phase phase;

    SkillSet(TrialBench bench, Phase phase) {
        this.bench = bench;
        this.phase = phase;
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
            switch (bench.run(skill, current, phase, TrialWatch.NONE)) {
                case Trial.Compiled(Assessment.Proposal proposal) -> current = proposal.plan();
                case Trial.NotApplicable(String reason, var _) -> remarks.add("%s does not apply: %s".formatted(skill.name(), reason));
                case Trial.ChangedNothing _ -> remarks.add("%s proposed the plan that it was given".formatted(skill.name()));
                case Trial.Crashed(SkillFault fault) -> {
                    return new Made.Nothing("%s crashed: %s".formatted(skill.name(), fault.reason()));
                }
                case Trial.TouchedAnotherPhase _ -> {
                    return new Made.Nothing("%s changed more than the %s plan".formatted(skill.name(), phase.name().toLowerCase(Locale.ROOT)));
                }
                case Trial.NotRepeatable(String difference) -> {
                    return new Made.Nothing("%s is nondeterministic: asked twice, it gave %s".formatted(skill.name(), difference));
                }
                case Trial.DoesNotCompile(int _, Blocker first, boolean _) -> {
                    return new Made.Nothing("%s: %s in %s".formatted(skill.name(), first.limit(), first.launch()));
                }
            }
        }
        return new Made.Plan(current, remarks);
    }
}
