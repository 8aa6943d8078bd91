package dev.npuflow.skill.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.testkit.SkillTest;
import dev.npuflow.skill.testkit.TinyModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AlignLayoutsTest implements SkillTest {

    @Override public Skill skill() {
        return new AlignLayouts();
    }

    @Override public Phase phase() {
        return Phase.PREFILL;
    }

    @Override public Deployment inapplicable() {
        return prefill(List.of(TinyModel.baseline().prefill().layer().getFirst()));
    }

    @Test void hands_queries_keys_and_values_over_as_they_are() {
        HostOp attention = given(TinyModel.baseline()).result().prefill().layer().stream().filter(HostOp.class::isInstance)
                .map(HostOp.class::cast).reduce((one, two) -> {
                    throw new AssertionError("a host step besides attention is left: " + one.name() + ", " + two.name());
                }).orElseThrow();
        assertEquals("seq_first", attention.options().get("layout"));
        assertEquals(Map.of("query", "q_roped", "key", "k_roped", "value", "v"), attention.inputs());
        assertEquals(Map.of("out", "attention"), attention.outputs());
    }

    @Test void a_prefill_without_transposes_is_faster() {
        given(TinyModel.baseline()).becomesFaster();
    }

    @Test void does_not_apply_in_decode_which_has_no_transpose() {
        SkillContext decode = new SkillContext(Phase.DECODE, TinyModel.traits(), new TreeMap<>(), TinyModel.placement(), List.of());
        Assessment assessment = skill().assess(TinyModel.baseline(), decode);
        assertTrue(assessment instanceof Assessment.NotApplicable);
        assertEquals("the decode plan has no host transpose", assessment.reason());
    }

    @Test void does_not_apply_where_somebody_else_wants_a_transposed_value() {
        List<Step> layer = new ArrayList<>(TinyModel.baseline().prefill().layer());
        layer.add(new HostOp("witness", HostKind.ADD, new TreeMap<>(Map.of("a", "k_head_first", "b", "k_head_first")),
                new TreeMap<>(Map.of("out", "seen")), new TreeMap<>(), new TreeMap<>()));
        given(prefill(layer)).isSkippedBecause("no host transpose stands between steps that can hand off directly");
    }

    private static Deployment attending(int headDim) {
        ModelShape shape = new ModelShape("wide", 2, 4 * headDim, 512, 4, 2, headDim, 128, false, false, false, 1e-5, 2048);
        return TinyModel.baseline(shape);
    }

    @Test void flash_attention_reads_heads_of_64_where_they_stand() {
        Deployment aligned = given(attending(64)).result();
        assertEquals(List.of("kv_cache_extract"), aligned.prefill().layer().stream().filter(HostOp.class::isInstance).map(Step::name).toList());
        NpuCall attention = aligned.prefill().calls().filter(call -> call.name().equals("flash_attn")).findFirst().orElseThrow();
        assertFalse(attention.launches().getFirst().shape().containsKey("head_first"));
        assertEquals(List.of("q_roped", "k_roped", "v", "attention"), attention.arguments().stream().map(Argument::name).toList());
        assertEquals(List.of(2048, 256), attention.argument("q_roped").shape());
        assertEquals(List.of(), TinyModel.placement().check(attention));
        given(attending(64)).compiles();
    }

    @Test void leaves_flash_attention_on_wider_heads_heads_first_and_says_why() {
        given(attending(128)).isSkippedBecause("flash_attn: seq-first needs dv_chunks == 1, has 2 (head_dim 128)");
    }

    private static Deployment prefill(List<Step> layer) {
        return TinyModel.baseline().withPhase(Phase.PREFILL, new PhasePlan(List.of(), layer, List.of()));
    }
}
