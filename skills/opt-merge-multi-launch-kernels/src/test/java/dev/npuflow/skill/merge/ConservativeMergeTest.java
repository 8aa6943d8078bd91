package dev.npuflow.skill.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.testkit.SkillTest;
import dev.npuflow.skill.testkit.TinyModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Upstream's split on a small model of each family, compiled, compared and judged as every skill is.
class ConservativeMergeTest {

    private static final int WIDE = 512;

    private static ModelShape shape(int width, boolean bias, boolean headNorm) {
        return new ModelShape("conservative_test", 2, width, width == WIDE ? WIDE : 2 * width, width / 32, width / 64, 32, 128, false, bias, headNorm, 1e-5, 2048);
    }

    /// The checks of every skill, with the option on.
    private interface Conservative extends SkillTest {

        /// Calls of a layer, by upstream's rule for the shape.
        int calls();

        @Override default Skill skill() {
            return new MergeLaunches();
        }

        @Override default Map<String, String> options() {
            return Map.of("conservative", "on");
        }

        @Override default Deployment inapplicable() {
            return given(applicable()).result();
        }

        @Test default void a_layer_has_upstreams_calls() {
            assertEquals(calls(), given(applicable()).result().phase(phase()).layer().stream().filter(NpuCall.class::isInstance).count());
        }
    }

    /// Widths that are no multiples of 512: five ELFs in decode, and additions, norm and SiLU·mul on the host.
    private interface FiveElfs extends Conservative {

        @Override default int calls() {
            return 5;
        }
    }

    @Nested class LlamaOfFiveElfs implements FiveElfs {

        @Test void additions_norm_and_silu_are_the_hosts() {
            given(TinyModel.baseline()).becomesSteps("embed", "rope_q_table", "rope_k_table", "rms_gemv_rope", "decode_attention", "o_gemv", "add_attention",
                    "rms_norm_ffn", "gate_gemv", "up_gemv", "silu_mul", "down_gemv", "add_ffn", "final_rms_norm", "lm_head_0", "argmax");
            List<String> calls = given(TinyModel.baseline()).result().decode().calls().map(NpuCall::name).toList();
            assertEquals(List.of("rms_gemv_rope", "o_gemv", "gate_gemv", "up_gemv", "down_gemv", "lm_head_0"), calls);
        }

        @Test void a_token_with_fewer_dispatches_is_faster() {
            given(TinyModel.baseline()).becomesFaster();
        }
    }

    @Nested class Qwen2OfFiveElfs implements FiveElfs {

        @Override public ModelShape shape() {
            return ConservativeMergeTest.shape(64, true, false);
        }
    }

    @Nested class Qwen3OfFiveElfs implements FiveElfs {

        @Override public ModelShape shape() {
            return ConservativeMergeTest.shape(64, false, true);
        }
    }

    /// The bias goes into O's ELF.
    @Nested class LlamaWithABiasOnO implements FiveElfs {

        @Override public ModelShape shape() {
            return ConservativeMergeTest.shape(64, true, false).withOutputBias();
        }
    }

    @Nested class LlamaOfTwoElfs implements Conservative {

        @Override public ModelShape shape() {
            return ConservativeMergeTest.shape(WIDE, false, false);
        }

        @Override public int calls() {
            return 2;
        }

        @Test void is_what_the_skill_makes_without_the_option() {
            assertEquals(given(applicable()).with("conservative", "off").result().hash(), given(applicable()).result().hash());
        }
    }

    /// Attention is the host's at this head dimension; upstream's own ELF for it does not count.
    @Nested class PrefillWhoseDownStandsFirst implements Conservative {

        @Override public Phase phase() {
            return Phase.PREFILL;
        }

        @Override public ModelShape shape() {
            return ConservativeMergeTest.shape(64, true, false);
        }

        @Override public int calls() {
            return 3;
        }
    }
}
