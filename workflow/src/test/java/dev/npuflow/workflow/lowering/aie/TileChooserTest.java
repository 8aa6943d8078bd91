package dev.npuflow.workflow.lowering.aie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.block.Extent;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.block.Weight;
import dev.npuflow.workflow.lowering.TileChooser;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TileChooserTest {

    private static final TileChooser TILES = new TileChooser(new PublishedLimits());

    private static final Value X = new Value("x", Extent.HIDDEN);
    /// 192 → 2 heads of 32.
    private static final Operator.Projection Q = new Operator.Projection("q", X, new Weight("w", Extent.QUERY, Extent.HIDDEN), new Value("y", Extent.QUERY));

    private static BaselineCalls calls(int hidden, Phase phase) {
        return new BaselineCalls(new ModelShape("test", 1, hidden, 4 * hidden, 2, 1, 32, 1024, true, false, false, 1e-5, 2048), phase, TILES);
    }

    private static Launch gemv(int m, int k) {
        return TILES.choose(calls(k, Phase.DECODE).gemv("g", "x", "w", 0, m, k, "y")).launches().getFirst();
    }

    // The figures for 2048 and 8192 columns are those of docs/upstream.md, "Where npuflow differs", 3.
    @Test void at_2048_columns_eight_rows_go_in_fours_with_ping_pong() {
        NpuCall call = TILES.choose(calls(2048, Phase.DECODE).gemv("g", "x", "w", 0, 2048, 2048, "y"));
        assertTrue(call.options().pingPong());
        assertEquals(Map.of("tile_m", 8, "m_input", 4), call.launches().getFirst().tile());
        assertEquals(8, call.launches().getFirst().herd().columns());
    }

    @Test void without_ping_pong_the_same_rows_go_at_once() {
        NpuCall call = TILES.choose(calls(2048, Phase.DECODE).gemv("g", "x", "w", 0, 2048, 2048, "y"), false).orElseThrow();
        assertEquals(Map.of("tile_m", 8, "m_input", 8), call.launches().getFirst().tile());
    }

    @Test void at_8192_columns_only_two_rows_fit_and_ping_pong_does_not() {
        NpuCall call = TILES.choose(calls(2048, Phase.DECODE).gemv("g", "x", "w", 0, 2048, 8192, "y"));
        assertFalse(call.options().pingPong());
        assertEquals(Map.of("tile_m", 2, "m_input", 2), call.launches().getFirst().tile());
    }

    @Test void forty_rows_take_a_herd_of_four_since_a_tile_is_even() {
        assertEquals(4, gemv(40, 64).herd().columns());
        assertEquals(10, gemv(40, 64).tile().get("tile_m"));
    }

    @Test void elementwise_tiles_are_multiples_of_sixteen() {
        Launch add = calls(192, Phase.DECODE).add(new Operator.Sum("a", X, X, X)).launches().getFirst();
        assertEquals(4, add.herd().columns());
        assertEquals(Map.of("tile_n", 48), add.tile());
    }

    @Test void a_gemm_takes_all_cores_and_power_of_two_steps() {
        Launch gemm = calls(192, Phase.PREFILL).project(Q).launches().getFirst();
        assertEquals(32, gemm.herd().cores());
        assertEquals(Map.of("tile_m", 32, "tile_k_l2", 64, "tile_k_l1", 32, "tile_n", 16), gemm.tile());
    }

    @Test void odd_rows_are_refused_by_name() {
        NpuflowException refusal = assertThrows(NpuflowException.class, () -> gemv(1023, 192));
        assertEquals("NPF-201", refusal.id());
        assertTrue(refusal.getMessage().contains("g: gemv {k=192, m=1023} does not place"), refusal.getMessage());
    }

    @Test void columns_that_are_no_multiple_of_the_vector_width_are_refused_with_the_blocker() {
        assertTrue(assertThrows(NpuflowException.class, () -> gemv(1024, 100)).getMessage().contains("a limit of gemv"));
    }
}
