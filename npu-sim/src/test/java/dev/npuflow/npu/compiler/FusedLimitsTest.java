package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The shapes are those of mlir-air's deployments: legal for llama-3.2-1B, Qwen3-0.6B and 1.7B, not for the larger models.
class FusedLimitsTest {

    private static List<String> add(int m, int k, int tile, int columns, int rows) {
        return new Elf().pingPong(true).tiling(16).launch("gemv_add", "mv", "m=%d;k=%d".formatted(m, k), "tile_m=%d".formatted(tile), columns, rows).limits();
    }

    private static List<String> swiglu(int m, int k, String tile, int columns, int rows) {
        return new Elf().pingPong(true).tiling(16).launch("gemv_swiglu_rms", "mv", "m=%d;k=%d".formatted(m, k), tile, columns, rows).limits();
    }

    private static final String TILE = "tile_m=32;m_input=4";

    @Test
    void what_is_deployed_is_legal() {
        assertEquals(List.of(), add(2048, 2048, 8, 8, 2));
        assertEquals(List.of(), add(2048, 8192, 8, 8, 2));
        assertEquals(List.of(), add(1024, 3072, 8, 8, 2));
        assertEquals(List.of(), swiglu(16384, 2048, TILE, 8, 4));
        assertEquals(List.of(), swiglu(6144, 1024, TILE, 8, 4));
    }

    @Test
    void widths_that_are_no_multiples_are_refused() {
        assertEquals(List.of("VECTOR_WIDTH"), add(896, 4864, 8, 8, 2));
        assertEquals(List.of("ROWS_DIVIDE"), add(2000, 512, 8, 8, 2));
        assertEquals(List.of("HERD_ROWS"), add(2048, 2048, 8, 8, 1));
        assertEquals(List.of("VECTOR_WIDTH"), swiglu(1024, 192, TILE, 8, 4));
        assertEquals(List.of("WRAP"), swiglu(16384, 3072, TILE, 8, 4));
        assertEquals(List.of("ROWS_DIVIDE"), swiglu(8192 + 128, 2048, TILE, 8, 4));
    }

    @Test
    void tiles_that_do_not_fit_are_refused() {
        assertEquals(List.of("VECTOR_WIDTH_OUT"), swiglu(16384, 2048, "tile_m=16;m_input=4", 8, 4));
        assertEquals(List.of("PAIRS"), swiglu(16384, 2048, "tile_m=32;m_input=1", 8, 4));
        assertEquals(List.of("INPUT_ROWS_DIVIDE"), swiglu(16384, 2048, "tile_m=32;m_input=6", 8, 4));
        assertEquals(List.of("CASCADE"), swiglu(16384, 2048, TILE, 8, 1));
        assertEquals(List.of("L2_CAPACITY"), swiglu(16384, 2048, "tile_m=64;m_input=4", 8, 4));
        assertEquals(List.of("L1_CAPACITY"), swiglu(16384, 2048, "tile_m=32;m_input=32", 8, 4));
        assertEquals(List.of("HERD_FIT"), add(2048, 2048, 8, 16, 2));
    }
}
