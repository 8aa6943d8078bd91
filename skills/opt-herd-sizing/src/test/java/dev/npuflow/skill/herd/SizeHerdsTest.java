package dev.npuflow.skill.herd;

import static dev.npuflow.skill.testkit.TinyPlans.add;
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
import dev.npuflow.skill.Assessment.NotApplicable;
import dev.npuflow.skill.Assessment.Proposal;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
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
        SkillContext context = new SkillContext(Phase.DECODE, TinyModel.traits(), new TreeMap<>(),
                call -> ropes(call.launches().stream()).anyMatch(launch -> launch.herd().cores() == 1) ? List.of(full) : List.of(), List.of());
        Deployment sized = assertInstanceOf(Proposal.class, new SizeHerds().assess(TinyModel.baseline(), context)).plan();
        assertEquals(ropes(launches(TinyModel.baseline()).stream()).toList(), ropes(launches(sized).stream()).toList());
        assertNotEquals(launches(TinyModel.baseline()), launches(sized));
    }

    @Test void it_shows_which_launches_shrink_and_by_how_many_cores() {
        assertEquals(List.of("Launches on one core now: small (4x1), both_0 (4x1), both_1 (4x1)", "Cores that the launches configure: 12 -> 3"),
                given(plan(call("small", add("a", "b").into("c")), call("both", add("c", "d").into("e"), add("e", "d").into("f"))))
                        .proposal().evidence().getFirst().facts());
    }

    @Test void a_device_that_configures_no_cores_gains_nothing() {
        given(TinyModel.baseline()).without(DeviceTrait.CONFIGURES_CORES).isSkippedBecause("the device does not configure the cores of each launch anew");
    }

    private static Stream<Launch> ropes(Stream<Launch> launches) {
        return launches.filter(launch -> launch.kernel().equals("rope"));
    }

    @Test void a_prefill_of_2048_positions_is_left_alone() {
        SkillContext prefill = new SkillContext(Phase.PREFILL, TinyModel.traits(), new TreeMap<>(), TinyModel.placement(), List.of());
        ModelShape wide = new ModelShape("wide", 2, 1024, 1024, 16, 4, 64, 8192, false, false, false, 1e-5, 2048);
        assertInstanceOf(NotApplicable.class, skill().assess(TinyModel.baseline(wide), prefill));
    }

    private static List<Launch> launches(Deployment deployment) {
        return deployment.decode().calls().flatMap(call -> call.launches().stream()).toList();
    }
}
