package dev.npuflow.skill.herd;

import static dev.npuflow.skill.testkit.TinyPlans.call;
import static dev.npuflow.skill.testkit.TinyPlans.plan;
import static dev.npuflow.skill.testkit.TinyPlans.rmsNorm;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.testkit.SkillTest;
import dev.npuflow.skill.testkit.TinyModel;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SizeHerdsTest implements SkillTest {

    @Override public Skill skill() {
        return new SizeHerds();
    }

    @Override public Deployment inapplicable() {
        return plan(call("norm", rmsNorm("x", "weight").into("y")));
    }

    @Test void small_launches_get_one_core_and_keep_their_tiles() {
        List<Launch> before = launches(TinyModel.baseline());
        List<Launch> after = launches(given(TinyModel.baseline()).result());
        assertEquals(before.stream().map(launch -> launch.withTile(SizeHerds.ONE_CORE, launch.tile())).toList(), after);
        given(TinyModel.baseline()).becomesFaster();
    }

    @Test void a_launch_with_much_to_read_keeps_its_cores() {
        ModelShape wide = new ModelShape("wide", 2, 1024, 1024, 16, 4, 64, 128, false, false, false, 1e-5, 2048);
        List<String> many = launches(given(TinyModel.baseline(wide)).result()).stream().filter(launch -> launch.herd().cores() > 1).map(Launch::name).toList();
        assertEquals(List.of("q_gemv", "k_gemv", "v_gemv", "o_gemv", "gate_gemv", "up_gemv", "down_gemv", "lm_head_0"), many);
    }

    @Test void a_launch_that_does_not_place_on_one_core_is_left() {
        Blocker full = new Blocker("L1_CAPACITY", "rope_q", "allocated buffers exceeded available memory", "64 KB a core", "a smaller tile");
        SkillContext context = new SkillContext(Phase.DECODE, TinyModel.DEVICE, new TreeMap<>(),
                call -> ropes(call.launches().stream()).anyMatch(launch -> launch.herd().cores() == 1) ? List.of(full) : List.of(), List.of());
        Deployment sized = new SizeHerds().apply(TinyModel.baseline(), context);
        assertEquals(ropes(launches(TinyModel.baseline()).stream()).toList(), ropes(launches(sized).stream()).toList());
        assertNotEquals(launches(TinyModel.baseline()), launches(sized));
    }

    private static Stream<Launch> ropes(Stream<Launch> launches) {
        return launches.filter(launch -> launch.kernel().equals("rope"));
    }

    @Test void a_prefill_of_2048_positions_is_left_alone() {
        SkillContext prefill = new SkillContext(Phase.PREFILL, TinyModel.DEVICE, new TreeMap<>(), TinyModel.placement(), List.of());
        ModelShape wide = new ModelShape("wide", 2, 1024, 1024, 16, 4, 64, 8192, false, false, false, 1e-5, 2048);
        assertInstanceOf(Assessment.DoesNotApply.class, skill().assess(TinyModel.baseline(wide), prefill));
    }

    private static List<Launch> launches(Deployment deployment) {
        return deployment.decode().calls().flatMap(call -> call.launches().stream()).toList();
    }
}
