package dev.npuflow.skill.layout;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SequencedSet;

/// Lets an operation that takes heads first work on what its neighbours have, positions first, and drops the host transposes around it.
/// Only the addresses of values change, so the self-check demands equal bits.
public final class AlignLayouts implements Skill {

    @Override public String name() {
        return "opt-layout-alignment";
    }

    @Override public int order() {
        return 500;
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        PhasePlan plan = deployment.phase(context.phase());
        SequencedSet<String> obstacles = new LinkedHashSet<>();
        PhasePlan aligned = aligned(plan, context, obstacles);
        List<String> transposes = transposes(plan);
        List<String> removed = new ArrayList<>(transposes);
        removed.removeAll(transposes(aligned));
        if (!removed.isEmpty()) {
            String reason = "%d of %d host transposes are between steps that can hand off directly".formatted(removed.size(), transposes.size());
            return Assessment.proposal(deployment.withPhase(context.phase(), aligned), reason)
                    .withEvidence(List.of(Evidence.of("Layout alignment", "Transposes removed: " + String.join(", ", removed))));
        }
        if (!obstacles.isEmpty()) {
            return Assessment.notApplicable(String.join("; ", obstacles));
        }
        return Assessment.notApplicable(!transposes.isEmpty() ? "no host transpose stands between steps that can hand off directly"
                : "the %s plan has no host transpose".formatted(context.phase().name().toLowerCase(Locale.ROOT)));
    }

    private static PhasePlan aligned(PhasePlan plan, SkillContext context, SequencedSet<String> obstacles) {
        return plan.mapSections(section -> {
            HandOff handOff = new HandOff(plan, section, context.placement());
            List<Step> steps = handOff.aligned();
            obstacles.addAll(handOff.obstacles());
            return steps;
        });
    }

    private static List<String> transposes(PhasePlan plan) {
        return plan.steps().filter(step -> step instanceof HostOp op && op.kind() == HostKind.TRANSPOSE).map(Step::name).toList();
    }
}
