package ${package};

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.ArgumentAccess.Reuse;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;

/// Does not upload what the device overwrites before it reads it. Change it into your own skill.
public final class ${type} implements Skill {

    @Override public String name() {
        return "${name}";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        long changed = deployment.phase(context.phase()).calls().filter(call -> !reuse(call).equals(call)).count();
        return changed == 0 ? Assessment.doesNotApply("no call uploads what it overwrites")
                : Assessment.applies(changed + " calls upload what they overwrite");
    }

    @Override public Deployment apply(Deployment deployment, SkillContext context) {
        return deployment.mapCalls(context.phase(), ${type}::reuse);
    }

    @Override public List<FailureMode> failureModes() {
        return List.of(new FailureMode("wrong from the second run on", "an argument is read before it is written",
                "Compare AccessAnalysis with what the kernel reads."));
    }

    private static NpuCall reuse(NpuCall call) {
        AccessAnalysis access = AccessAnalysis.of(call, false);
        return call.mapArguments(argument -> argument.transfer() == Transfer.EVERY_CALL
                && access.access(argument.name()).reuse() == Reuse.INTERMEDIATE ? argument.withTransfer(Transfer.INTERMEDIATE) : argument);
    }
}
