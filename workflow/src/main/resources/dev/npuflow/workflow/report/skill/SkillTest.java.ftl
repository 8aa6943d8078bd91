package ${package};

import static dev.npuflow.plan.Transfer.EVERY_CALL;
import static dev.npuflow.plan.Transfer.INTERMEDIATE;
import static dev.npuflow.skill.testkit.TinyPlans.add;
import static dev.npuflow.skill.testkit.TinyPlans.call;
import static dev.npuflow.skill.testkit.TinyPlans.plan;
import static dev.npuflow.skill.testkit.TinyPlans.rmsNorm;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.testkit.SkillTest;
import org.junit.jupiter.api.Test;

class ${type}Test implements SkillTest {

    @Override public Skill skill() {
        return new ${type}();
    }

    @Override public Deployment inapplicable() {
        return plan(call("accumulate", add("sum", "x").into("sum")));
    }

    @Test void uploads_only_what_the_device_reads_first() {
        given(plan(call("norm", rmsNorm("x", "weight").into("y"))))
                .becomes("y", INTERMEDIATE).leaves("x", EVERY_CALL).leaves("weight", EVERY_CALL);
    }
}
