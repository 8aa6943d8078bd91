package ${package};

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;

/// Does not upload what the device overwrites before it reads it. Change it into your own skill.
public final class ${type} implements Skill {

    @Override public String name() {
        return "${name}";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        Deployment changed = deployment.mapCalls(context.phase(), call -> call.mapArguments(argument ->
                AccessAnalysis.of(call, false).intermediateSet().contains(argument.name()) ? argument.withTransfer(Transfer.INTERMEDIATE) : argument));
        return changed.equals(deployment) ? Assessment.notApplicable("no call uploads what the device overwrites")
                : Assessment.proposal(changed, "some calls upload what the device overwrites");
    }
}
