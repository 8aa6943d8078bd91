package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.machine.Devices;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowLimitsTest {

    @Test
    void rms_norm() {
        assertEquals("N (100) must be divisible by vector_size (16)", norm("rows=8;n=100", 8).message("VECTOR_WIDTH"));
        assertEquals(List.of("ROWS_DIVIDE"), norm("rows=1;n=2048", 8).limits());
        assertEquals(List.of(), norm("rows=1;n=2048", 1).limits());
        assertEquals(List.of("L1_CAPACITY"), norm("rows=8;n=8192", 8).pingPong(true).limits());
        assertEquals(List.of(), norm("rows=8;n=8192", 8).limits());
    }

    private static Elf norm(String shape, int herd) {
        return new Elf().launch("rms_norm", "norm", shape, "", herd, 1);
    }

    @Test
    void rope() {
        assertTrue(rope("rows=8;head_dim=40", 8).message("VECTOR_WIDTH").startsWith("head_dim must be divisible by 16 (kernel vector width N=16)"));
        assertEquals(List.of("ROWS_DIVIDE"), rope("rows=6;head_dim=64", 8).limits());
        assertEquals(List.of(), rope("rows=6;head_dim=64", 2).limits());
        assertEquals(List.of("ROTARY_WIDTH"), rope("rows=8;head_dim=64;rotary_dim=16", 8).limits());
        assertEquals(List.of(), rope("rows=8;head_dim=64;rotary_dim=32", 8).limits());
        assertEquals(List.of("ROTARY_FITS"), rope("rows=8;head_dim=64;rotary_dim=96", 8).limits());
    }

    private static Elf rope(String shape, int herd) {
        return new Elf().launch("rope", "rope", shape, "", herd, 1);
    }

    @Test
    void bias_add() {
        assertEquals("real_cols (100) must be divisible by 16 (vector width)", bias("rows=8;n=100", 8).message("VECTOR_WIDTH"));
        assertEquals("seq (1) must be divisible by tiles (8)", bias("rows=1;n=2048", 8).message("ROWS_DIVIDE"));
        assertEquals(List.of(), bias("rows=1;n=896", 1).limits());
        assertEquals(List.of("L1_CAPACITY"), bias("rows=8;n=8192", 8).pingPong(true).limits());
        assertEquals(List.of(), bias("rows=8;n=8192", 8).limits());
    }

    private static Elf bias(String shape, int herd) {
        return new Elf().launch("bias_add", "bias", shape, "", herd, 1);
    }

    @Test
    void eltwise_add() {
        assertEquals("shape extent 2048 is not a multiple of tile 768", add(2048, 768, 1).message("TILE_DIVIDES"));
        assertEquals(List.of("CORES_DIVIDE"), add(192, 48, 8).limits());
        assertEquals(List.of("VECTOR_WIDTH"), add(192, 24, 8).limits());
        assertEquals(List.of(), add(192, 48, 4).limits());
    }

    @Test
    void an_addition_known_to_give_zeros_is_warned_of() {
        assertEquals(1, warnings(add(245_760, 2048, 8)).size());
        assertEquals(0, warnings(add(245_760, 1920, 8)).size());
    }

    private static Elf add(int n, int tile, int herd) {
        return new Elf().launch("eltwise_add", "add", "n=" + n, "tile_n=" + tile, herd, 1);
    }

    static List<String> warnings(Elf elf) {
        return ((Compilation.Built) elf.compile()).warnings();
    }

    @Test
    void gemm() {
        assertEquals("M (100) must be divisible by tile_m * herd_m (128)", gemm("m=100;k=256;n=256;positions=100", 16, 64, 32, 64, 8, 4)
                .message("ROWS_DIVIDE"));
        assertEquals(List.of("COLUMNS_DIVIDE"), gemm("m=128;k=256;n=100;positions=128", 16, 64, 32, 64, 8, 4).limits());
        assertEquals(List.of("DEPTH_DIVIDES"), gemm("m=128;k=96;n=256;positions=128", 16, 64, 32, 64, 8, 4).limits());
        assertEquals(List.of("STAGES_DIVIDE"), gemm("m=128;k=256;n=256;positions=128", 16, 64, 48, 64, 8, 4).limits());
        assertEquals(List.of("BLOCK"), gemm("m=64;k=256;n=256;positions=64", 8, 64, 32, 64, 8, 4).limits());
        assertEquals(List.of("HERD_ROWS"), gemm("m=128;k=256;n=256;positions=128", 16, 64, 32, 64, 8, 1).limits());
        assertEquals(List.of("L1_CAPACITY"), gemm("m=2048;k=2048;n=2048;positions=2048", 64, 256, 32, 256, 8, 4).pingPong(true).limits());
    }

    @Test
    void a_gemm_stride_counts_words() {
        // On record: 128 x 10240 and 128 x 14336 build, 256 x 11008 does not.
        assertEquals(List.of(), gemm("m=2048;k=2048;n=10240;positions=2048", 64, 128, 32, 128, 8, 4).limits());
        assertEquals(List.of(), gemm("m=2048;k=2048;n=14336;positions=2048", 64, 128, 32, 128, 8, 4).limits());
        Elf refused = gemm("m=2048;k=2048;n=11008;positions=2048", 64, 256, 32, 16, 8, 4);
        assertTrue(refused.message("STRIDE").startsWith("aie.dma_bd op Stride 1409024 exceeds the [1:1048576] range"), refused.message("STRIDE"));
    }

    @Test
    void a_step_that_is_no_power_of_two_builds_with_a_warning() {
        assertEquals(1, warnings(gemm("m=2048;k=720;n=512;positions=2048", 32, 144, 16, 128, 8, 4)).size());
        assertEquals(0, warnings(gemm("m=2048;k=768;n=512;positions=2048", 32, 256, 16, 128, 8, 4)).size());
    }

    /// 4 x 16 blocks of C. A panel of A, one of B and one of C each, 2 x 2 blocks between two synchronizations: 12 of a shim's 16 descriptors.
    @Test
    void a_gemm_that_is_tiled_too_coarsely_exhausts_the_shim_s_buffer_descriptors() {
        String shape = "m=2048;k=2048;n=8192;positions=2048";
        assertEquals(List.of(), gemm(shape, 64, 256, 32, 128, 8, 4).tiling(2).limits());
        Elf refused = gemm(shape, 64, 256, 32, 128, 8, 4).tiling(4);
        assertEquals(List.of("BUFFER_DESCRIPTORS"), refused.limits());
        assertTrue(refused.message("BUFFER_DESCRIPTORS").contains("loop tiling 4: 48 of 16"), refused.message("BUFFER_DESCRIPTORS"));
        assertEquals(List.of(), gemm("m=256;k=2048;n=512;positions=256", 32, 256, 32, 128, 8, 4).tiling(16).limits(), "one block needs three");
    }

    private static Elf gemm(String shape, int tileM, int stepL2, int stepL1, int tileN, int columns, int rows) {
        return new Elf().launch("gemm", "mm", shape, "tile_m=%d;tile_k_l2=%d;tile_k_l1=%d;tile_n=%d".formatted(tileM, stepL2, stepL1, tileN), columns, rows);
    }

    @Test
    void a_smaller_array_takes_smaller_herds() {
        ElfDescription elf = add(4096, 64, 8).description();
        assertEquals(List.of(), Elf.blockers(Compiler.compile(elf, Elf.NPU2)));
        assertEquals("HERD_FIT", Elf.blockers(Compiler.compile(elf, Devices.load("npu1", List.of()))).getFirst().limit());
    }
}
