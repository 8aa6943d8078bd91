package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

class KernelsCommandTest {

    private record Answer(int code, String out, String err) {

        Map<?, ?> json() {
            return new JsonMapper().readValue(out, Map.class);
        }

        List<?> limits() {
            return ((List<?>) json().get("blockers")).stream().map(blocker -> ((Map<?, ?>) blocker).get("limit")).toList();
        }
    }

    private static Answer kernels(String arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = NpuflowCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return new Answer(command.execute(("kernels " + arguments).split(" ")), out.toString(), err.toString());
    }

    @Test void a_long_gemv_is_legal_with_one_row_a_call_and_not_with_two() {
        assertEquals(0, kernels("check GEMV --m 2048 --k 11008 --tile-m 2 --m-input 1 --herd 8").code());
        Answer two = kernels("check gemv --m 2048 --k 11008 --tile-m 2 --m-input 2 --herd 8 --json");
        assertEquals(1, two.code());
        assertEquals(List.of("L1_CAPACITY"), two.limits());
        assertEquals(List.of("L1_CAPACITY"), kernels("check GEMV --m 2048 --k 8192 --tile-m 2 --m-input 1 --ping-pong on --json").limits());
    }

    @Test void a_refusal_names_limit_cause_and_remedy() {
        String text = kernels("check GEMV --m 2048 --k 8192 --tile-m 8 --m-input 2").out().replaceAll("\n {4,}", " ");
        assertTrue(text.contains("L2_CAPACITY  L2 capacity exceeded: A=1048576B + C=128B = 1048704B > 524288B. Reduce herd_m (8), tile_m (8), or k (8192)."), text);
        assertTrue(text.contains("  because the A and C panels of all columns are staged in one memtile's memory"), text);
        assertTrue(text.contains("  Use a smaller tile_m: at k = 8192 and herd_m 8 the largest even one is 2."), text);
    }

    @Test void registry_names_are_understood_in_any_case() {
        assertEquals(0, kernels("check RMSNorm --rows 2048 --cols 2048").code());
        assertEquals(0, kernels("check rope --rows 65536 --head-dim 64").code());
        assertEquals(0, kernels("check ELTWISEADD --n 4194304 --tile-n 2048").code());
        assertEquals(1, kernels("check SiLU_Mul --n 16777216 --tile-n 8192").code());
        assertEquals(0, kernels("check GEMM --m 2048 --k 2048 --n 512 --tile-m 32 --tile-k-l2 256 --tile-k-l1 32 --tile-n 128").code());
        assertEquals(0, kernels("check gemv_add --m 2048 --k 8192 --tile-m 8").code());
        String attention = "check FlashAttention --seq-q 2048 --seq-k 2048 --heads 32 --kv-heads 8 --head-dim 64 --lqp 256 --lkp 64 --num-q-tiles 4 --hpu 2"
                + " --cascade 4 --dv-chunks 1";
        assertEquals(0, kernels(attention).code());
        assertEquals(1, kernels(attention + " --ping-pong on").code());
    }

    @Test void tuning_ranks_what_is_legal_and_nothing_else() {
        Map<?, ?> json = kernels("tune GEMV --m 512 --k 2048 --json").json();
        List<?> ranking = (List<?>) json.get("ranking");
        assertEquals(json.get("simulated"), ranking.size());
        double last = 0;
        for (Object entry : ranking) {
            Map<?, ?> ranked = (Map<?, ?>) entry;
            double us = ((Number) ranked.get("us")).doubleValue();
            assertTrue(us >= last);
            last = us;
            Map<?, ?> tile = (Map<?, ?>) ranked.get("tile");
            assertEquals(0, kernels("check GEMV --m 512 --k 2048 --tile-m %s --m-input %s --herd %s --ping-pong %s".formatted(tile.get("tile_m"),
                    tile.get("m_input"), ranked.get("herd"), ranked.get("ping_pong").equals(true) ? "on" : "off")).code());
        }
        assertEquals("8x1", ((Map<?, ?>) ranking.getFirst()).get("herd"), "more columns stream more");
        assertTrue(kernels("tune RMSNorm --rows 64 --n 64").out().contains("herd 8x1"));
    }

    @Test void where_nothing_is_legal_the_limits_are_named_and_of_how_many_candidates() {
        Answer none = kernels("tune GEMV --m 64 --k 100000");
        assertEquals(1, none.code());
        assertTrue(none.out().startsWith("gemv k 100000, m 64, loop tiling 4: 0 of 140 herds and tiles place"), none.out());
        assertTrue(none.out().contains("L1_CAPACITY rules out all 140, such as herd 1x1, m_input 1, tile_m 2, ping-pong off:\n  'aie.tile' op allocated buffers exceeded"), none.out());
        List<?> limits = (List<?>) kernels("tune GEMV --m 64 --k 100000 --json").json().get("limits");
        assertEquals(List.of("L1_CAPACITY", 140), List.of(((Map<?, ?>) limits.getFirst()).get("limit"), ((Map<?, ?>) limits.getFirst()).get("candidates")));
        assertEquals(List.of(), kernels("tune RMSNorm --rows 64 --n 64 --json").json().get("limits"));
    }

    @Test void where_nothing_divides_the_shape_that_is_said() {
        assertTrue(kernels("tune GEMV --m 100003 --k 64").out().contains("no herd and tile divides the shape: expected an even m\n"));
        assertTrue(kernels("tune GEMM --m 64 --k 64 --n 40").out().contains("expected m and k that are multiples of 16, n of 32\n"));
        assertTrue(kernels("tune EltwiseAdd --n 100").out().contains("expected n that is a multiple of 16\n"));
    }

    @Test void a_mistyped_kernel_is_told_the_nearest_name() {
        for (String[] mistyped : new String[][] {{"GEVM", "GEMV"}, {"rmsnrom", "RMSNorm"}, {"flash-atention", "FlashAttention"}, {"gemm_drect", "gemm_direct"},
            {"bias_ad", "bias_add"}}) {
            String err = kernels("check " + mistyped[0] + " --m 8").err();
            assertTrue(err.contains("kernel (" + mistyped[0] + "): expected one of ") && err.trim().endsWith("; try " + mistyped[1]), err);
        }
        assertTrue(kernels("check convolution --m 8").err().trim().endsWith("; try GEMV"), "nothing near");
    }

    @Test void a_kernel_that_is_only_timed_is_checked_and_not_tuned() {
        String gemm = " --m 512 --k 512 --n 512 --tile-m 32 --tile-k-l2 128 --tile-k-l1 32 --tile-n 64";
        Map<?, ?> placed = kernels("check gemm_f32_out" + gemm + " --json").json();
        assertEquals(true, placed.get("legal"));
        assertTrue(((Number) placed.get("simulated_us")).doubleValue() > 0);
        assertEquals(1, kernels("check gemm_f32_out" + gemm + " --herd 9x4").code());
        assertTrue(kernels("tune gemm_f32_out --m 512 --k 512 --n 512").err().startsWith("NPF-835 "));
    }

    @Test void operands_that_no_number_counts_are_too_large_and_no_defect() {
        String most = Integer.toString(Integer.MAX_VALUE);
        Answer attention = kernels("check FlashAttention --seq-q N --seq-k N --heads N --kv-heads N --head-dim N --lqp 256 --lkp 64 --num-q-tiles 4 --hpu 2 --cascade 4 --dv-chunks 1 --json"
                .replace("N", most));
        assertEquals(1, attention.code(), attention.err());
        assertTrue(attention.limits().contains("PORT_SIZE"), attention.out());
    }

    @Test void bad_sizes_are_told_in_one_line() {
        for (String[] bad : new String[][] {{"check conv --m 8", "NPF-830"}, {"check GEMV --m 2048 --tile-m 8 --m-input 8", "NPF-831"},
            {"check GEMV --m 2048 --k 2048 --rows 4 --tile-m 8 --m-input 8", "NPF-832"}, {"check GEMV --m 2048 --k 2048 --tile-m 0 --m-input 8",
            "NPF-833"},
            {"check GEMV --m 2048 --k 2048 --tile-m 8 --m-input 8 --herd 8x", "NPF-834"}, {"tune gemv_add --m 2048 --k 2048", "NPF-835"}}) {
            Answer refused = kernels(bad[0]);
            assertEquals(2, refused.code(), bad[0]);
            assertTrue(refused.err().startsWith(bad[1] + " "), refused.err());
        }
    }
}
