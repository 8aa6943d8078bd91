package ${package};

import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.testkit.SkillTest;
import dev.npuflow.skill.testkit.TinyPlans;
import org.junit.jupiter.api.Test;

class ${type}Test implements SkillTest {

    @Test void uploads_only_what_the_device_reads_first() {
        var norm = TinyPlans.rmsNorm("x", "weight").into("y");
        given(TinyPlans.plan(TinyPlans.call("norm", norm))).becomes("y", Transfer.INTERMEDIATE).leaves("x", Transfer.EVERY_CALL);
    }
}
