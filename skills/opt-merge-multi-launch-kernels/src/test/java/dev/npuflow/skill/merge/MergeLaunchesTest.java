package dev.npuflow.skill.merge;

import static dev.npuflow.skill.testkit.TinyPlans.add;
import static dev.npuflow.skill.testkit.TinyPlans.call;
import static dev.npuflow.skill.testkit.TinyPlans.hostNorm;
import static dev.npuflow.skill.testkit.TinyPlans.plan;
import static dev.npuflow.skill.testkit.TinyPlans.rmsNorm;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment.NotApplicable;
import dev.npuflow.skill.Assessment.Proposal;
import dev.npuflow.skill.Attempt;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Placement;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.testkit.SkillTest;
import dev.npuflow.skill.testkit.TinyModel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MergeLaunchesTest implements SkillTest {

    private static final Deployment NORM_THEN_ADD = plan(call("norm", rmsNorm("x", "weight").into("y")), call("add", add("y", "x").into("x")));

    @Override public Skill skill() {
        return new MergeLaunches();
    }

    @Override public Deployment inapplicable() {
        return plan(call("norm", rmsNorm("x", "weight").into("y")), hostNorm("y", "z"), call("add", add("z", "x").into("x")));
    }

    @Test void a_whole_layer_becomes_the_two_groups_around_attention() {
        given(TinyModel.baseline()).becomesSteps("embed", "rope_q_table", "rope_k_table", "rms_gemv_rope", "decode_attention", "o_gemv_ffn",
                "final_rms_norm", "lm_head_0", "argmax");
    }

    @Test void prefill_is_merged_under_the_names_of_its_groups() {
        SkillContext prefill = context(TinyModel.placement(), Phase.PREFILL);
        List<String> names = proposed(TinyModel.baseline(), prefill).prefill().calls().map(NpuCall::name).toList();
        assertEquals(List.of("rms_gemms_rope", "o_ffn", "lm_head_0"), names);
    }

    @Test void only_what_the_host_uses_is_read_back() {
        assertEquals(List.of("v", "q_roped", "k_roped"), outputs(given(TinyModel.baseline()).result(), "rms_gemv_rope"));
        assertEquals(List.of("x_out"), outputs(given(TinyModel.baseline()).result(), "o_gemv_ffn"));
    }

    private static List<String> outputs(Deployment plan, String name) {
        return AccessAnalysis.of(plan.decode().calls().filter(call -> call.name().equals(name)).findFirst().orElseThrow(), true).outputSet();
    }

    @Test void a_value_goes_from_launch_to_launch_on_the_device_and_what_is_made_anew_has_its_own_argument() {
        NpuCall merged = onlyCall(given(plan(call("one", rmsNorm("x", "a").into("y")), call("two", rmsNorm("y", "b").into("x")))).result());
        assertEquals(List.of("x", "a", "y", "b", "x_out"), merged.arguments().stream().map(argument -> argument.name()).toList());
        assertEquals("y", merged.launches().getLast().inputs().get("in").argument());
        assertEquals("x_out", merged.launches().getLast().outputs().get("out").argument());
        assertEquals(List.of("y", "x_out"), AccessAnalysis.of(merged, true).intermediateSet());
        assertEquals(List.of("x_out"), AccessAnalysis.of(merged, true).outputSet());
    }

    @Test void an_accumulator_stays_in_its_place() {
        NpuCall merged = onlyCall(given(NORM_THEN_ADD).result());
        assertEquals(List.of("x", "weight", "y"), merged.arguments().stream().map(argument -> argument.name()).toList());
        assertEquals(List.of("x"), AccessAnalysis.of(merged, true).outputSet());
    }

    @Test void two_norms_of_one_width_share_a_symbol_and_another_tiling_gets_its_own() {
        NpuCall wide = call("wide", add("y", "x").into("z"));
        Launch launch = wide.launches().getFirst();
        NpuCall narrow = call("narrow", add("z", "x").into("w")).withLaunches(List.of(call("narrow", add("z", "x").into("w")).launches()
                .getFirst().withTile(new Herd(2, 1), new TreeMap<>(Map.of("tile_n", 32)))));
        Deployment plan = plan(call("one", rmsNorm("x", "a").into("v")), call("two", rmsNorm("v", "b").into("y")), wide, narrow);
        NpuCall merged = (NpuCall) given(plan).result().decode().layer().getFirst();
        assertEquals(List.of("rms_norm", "rms_norm", launch.symbol(), launch.symbol() + "_2"),
                merged.launches().stream().map(Launch::symbol).toList());
    }

    @Test void ping_pong_goes_off_for_the_elf_in_which_one_launch_has_no_room_for_it() {
        assertTrue(onlyCall(proposed(NORM_THEN_ADD, context(call -> List.of(), Phase.DECODE))).options().pingPong());
        assertFalse(onlyCall(proposed(NORM_THEN_ADD, context(call -> call.options().pingPong() ? blocker("add") : List.of(), Phase.DECODE)))
                .options().pingPong());
    }

    private static NpuCall onlyCall(Deployment plan) {
        return (NpuCall) plan.decode().layer().getFirst();
    }

    @Test void a_blocked_group_loses_its_last_launch_until_it_places() {
        Placement atMostFour = call -> call.launches().size() > 4 ? blocker(call.launches().getLast().name()) : List.of();
        PhasePlan plan = proposed(TinyModel.baseline(), context(atMostFour, Phase.DECODE)).decode();
        assertEquals(List.of("rms_norm_attention_to_v_gemv", "rope_q_to_rope_k", "decode_attention", "o_gemv_to_gate_gemv", "up_gemv_to_add_ffn"),
                plan.layer().stream().map(Step::name).toList());
    }

    @Test void an_attempt_that_the_compiler_stopped_is_not_made_again() {
        SkillContext again = again(List.of(new Attempt("hash", blocker("decode/rms_gemv_rope/rope_k"))));
        assertEquals(List.of("rms_norm_attention_to_rope_q", "rope_k", "decode_attention", "o_gemv_ffn"),
                proposed(TinyModel.baseline(), again).decode().layer().stream().map(Step::name).toList());
    }

    @Test void what_merged_is_shown_by_its_group_and_the_calls_it_was_made_of() {
        List<Evidence> shown = given(TinyModel.baseline()).proposal().evidence();
        assertEquals(List.of("Multi-launch merge: rms_gemv_rope", "Multi-launch merge: o_gemv_ffn"), shown.stream().map(Evidence::title).toList());
        assertEquals(new Evidence("Multi-launch merge: rms_gemv_rope", List.of("Launches merged: 6"),
                List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "rope_q", "rope_k"), List.of("rms_gemv_rope")), shown.getFirst());
    }

    @ParameterizedTest @EnumSource(value = DeviceTrait.class, names = "CONFIGURES_CORES", mode = EnumSource.Mode.EXCLUDE)
    void does_not_apply_on_a_device_where_a_call_of_several_launches_is_no_answer(DeviceTrait lacking) {
        given(TinyModel.baseline()).without(lacking).isSkippedBecause("the device does not " + lacking.ability());
    }

    @Test void does_not_ask_whether_the_device_configures_its_cores() {
        assertEquals(given(TinyModel.baseline()).result(), given(TinyModel.baseline()).without(DeviceTrait.CONFIGURES_CORES).result());
    }

    @Test void a_token_with_fewer_dispatches_is_faster() {
        given(TinyModel.baseline()).becomesFaster();
    }

    @Test void does_not_apply_across_a_host_step() {
        given(inapplicable()).isSkippedBecause("no two NPU calls stand next to each other");
    }

    @Test void does_not_apply_where_nothing_places_and_names_the_blocker() {
        assertTrue(skill().assess(NORM_THEN_ADD, context(call -> call.launches().size() > 1 ? blocker("add") : List.of(), Phase.DECODE)).reason()
                .endsWith("norm_to_add: no room"));
    }

    @Test void a_blamed_launch_starts_the_next_group() {
        assertEquals(List.of("o_gemv_to_gate_gemv", "up_gemv_to_add_ffn"), decodeAfter(List.of("decode/o_gemv_ffn/up_gemv")));
    }

    @Test void a_blamed_elf_loses_its_last_launch_and_is_then_halved() {
        assertEquals(List.of("o_gemv_to_down_gemv", "add_ffn"), decodeAfter(List.of("decode/o_gemv_ffn/o_gemv_ffn")));
        assertEquals(List.of("o_gemv_to_gate_gemv", "up_gemv_to_add_ffn"),
                decodeAfter(List.of("decode/o_gemv_ffn/o_gemv_ffn", "decode/o_gemv_to_down_gemv/o_gemv_to_down_gemv")));
    }

    @Test void a_launch_blamed_twice_stands_alone() {
        assertEquals(List.of("o_gemv_to_gate_gemv", "up_gemv", "silu_mul_to_add_ffn"),
                decodeAfter(List.of("decode/o_gemv_ffn/up_gemv", "decode/up_gemv_to_add_ffn/up_gemv")));
    }

    @Test void a_blocker_of_the_other_phase_or_of_another_call_changes_nothing() {
        assertEquals(List.of("o_gemv_ffn"), decodeAfter(List.of("prefill/o_gemv_ffn/up_gemv", "decode/another_call/up_gemv")));
    }

    @Test void a_core_without_room_for_second_buffers_costs_the_elf_its_ping_pong_and_no_call() {
        List<Attempt> attempts = List.of(new Attempt("hash", List.of(new Blocker("L1_CAPACITY", "decode/o_gemv_ffn/down_gemv", "allocated buffers exceeded available memory",
                "cause", "remedy"))));
        List<NpuCall> calls = proposed(TinyModel.baseline(), again(attempts)).decode().calls().toList();
        assertEquals(List.of("rms_gemv_rope", "o_gemv_ffn", "lm_head_0"), calls.stream().map(NpuCall::name).toList());
        assertEquals(List.of(true, false, true), calls.stream().map(call -> call.options().pingPong()).toList());
        List<Attempt> more = List.of(attempts.getFirst(), attempts.getFirst());
        assertEquals(List.of("rms_gemv_rope", "o_gemv_to_silu_mul", "down_gemv_to_add_ffn", "lm_head_0"),
                proposed(TinyModel.baseline(), again(more)).decode().calls().map(NpuCall::name).toList());
    }

    @Test void parts_of_an_lm_head_that_is_too_large_have_names_of_their_own() {
        Deployment plan = plan(call("lm_head_0", rmsNorm("x", "a").into("a")), call("lm_head_1", rmsNorm("x", "b").into("b")),
                call("lm_head_2", rmsNorm("x", "c").into("c")), call("lm_head_3", rmsNorm("x", "d").into("d")));
        assertEquals(List.of("lm_head_gemv"), names(plan, List.of()));
        assertEquals(List.of("lm_head_0_to_lm_head_1", "lm_head_2_to_lm_head_3"), names(plan, List.of(new Attempt("one", blocker("lm_head_gemv")),
                new Attempt("two", blocker("lm_head_0_to_lm_head_2")))));
    }

    private List<String> names(Deployment plan, List<Attempt> attempts) {
        return proposed(plan, again(attempts)).decode().calls().map(NpuCall::name).toList();
    }

    @Test void has_no_other_plan_once_every_pair_was_blamed() {
        assertInstanceOf(NotApplicable.class, skill().assess(NORM_THEN_ADD, again(List.of(new Attempt("hash", blocker("decode/norm_to_add/norm_to_add"))))));
    }

    @Test void a_blocker_of_one_group_leaves_the_other_as_it_is() {
        assertEquals(List.of("o_gemv_ffn"), decodeAfter(List.of("decode/rms_gemv_rope/rope_k")));
    }

    /// The calls after attention once these places were blamed, one an attempt.
    private List<String> decodeAfter(List<String> blamed) {
        List<Attempt> attempts = blamed.stream().map(place -> new Attempt("hash of " + place, blocker(place))).toList();
        List<String> layer = proposed(TinyModel.baseline(), again(attempts)).decode().layer().stream().map(Step::name).toList();
        return layer.subList(layer.indexOf("decode_attention") + 1, layer.size());
    }

    private static List<Blocker> blocker(String launch) {
        return List.of(new Blocker("LIMIT", launch, "no room", "cause", "remedy"));
    }

    private Deployment proposed(Deployment plan, SkillContext context) {
        return assertInstanceOf(Proposal.class, skill().assess(plan, context)).plan();
    }

    private static SkillContext again(List<Attempt> attempts) {
        return new SkillContext(Phase.DECODE, TinyModel.traits(), new TreeMap<>(), TinyModel.placement(), attempts);
    }

    private static SkillContext context(Placement placement, Phase phase) {
        return new SkillContext(phase, TinyModel.traits(), new TreeMap<>(), placement, List.of());
    }
}
