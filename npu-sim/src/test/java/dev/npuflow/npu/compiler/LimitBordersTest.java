package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.machine.Devices;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where each limit begins: a device that has exactly what a launch needs takes it, one that has one less refuses it. The needs are counted by hand.
class LimitBordersTest {

    /// Kernel, shape, tile, herd, the device's field, the limit, and the least value that is enough.
    @ParameterizedTest
    @CsvSource({
        // m_input rows of k, the vector and the results, 2 bytes each, and a stack of 1024
        "gemv, m=64;k=2048, tile_m=8;m_input=4, 8, 1, array.core_memory_bytes, L1_CAPACITY, 21520",
        // 8 columns of 8 rows of k, and of the results
        "gemv, m=64;k=2048, tile_m=8;m_input=4, 8, 1, array.memtile_memory_bytes, L2_CAPACITY, 262272",
        // 64 runs of 64 rows are 63 repeats; the vector is sent for each 4 rows of 8 columns
        "gemv, m=4096;k=64, tile_m=8;m_input=4, 8, 1, dma.maximum_repeat, REPEAT, 63",
        "gemv, m=4096;k=64, tile_m=8;m_input=4, 8, 1, dma.maximum_repeat, REPEAT_VECTOR, 127",
        "gemv, m=64;k=2048, tile_m=8;m_input=4, 8, 1, dma.largest_buffer_bytes, ARGUMENT_SIZE, 262144",
        "gemv, m=64;k=2048, tile_m=8;m_input=4, 8, 1, array.columns, HERD_FIT, 8",
        "gemv_add, m=64;k=1024, tile_m=8, 8, 2, array.core_memory_bytes, L1_CAPACITY, 10272",
        "gemv_add, m=64;k=1024, tile_m=8, 8, 2, array.memtile_memory_bytes, L2_CAPACITY, 16400",
        "gemv_add, m=64;k=1024, tile_m=8, 8, 2, array.core_rows, HERD_FIT, 2",
        "gemv_swiglu_rms, m=256;k=1024, tile_m=32;m_input=2, 8, 4, array.core_memory_bytes, L1_CAPACITY, 6176",
        "gemv_swiglu_rms, m=256;k=1024, tile_m=32;m_input=2, 8, 4, array.memtile_memory_bytes, L2_CAPACITY, 65568",
        "gemv_swiglu_rms, m=256;k=1024, tile_m=32;m_input=2, 8, 4, functions.swiglu_refused_k, WRAP, 1025",
        // two rows and the weight
        "rms_norm, rows=8;n=2048, '', 8, 1, array.core_memory_bytes, L1_CAPACITY, 13312",
        "rms_norm, rows=8;n=2048, '', 8, 1, dma.shim_channels, SHIM_CHANNELS, 2",
        "bias_add, rows=8;n=2048, '', 8, 1, array.core_memory_bytes, L1_CAPACITY, 13312",
        "rope, rows=8;head_dim=64, '', 8, 1, dma.shim_channels, SHIM_CHANNELS, 2",
        // a tile of each of three streams
        "eltwise_add, n=16384, tile_n=2048, 8, 1, array.core_memory_bytes, L1_CAPACITY, 13312",
        // 1024 runs do not fit a smaller wrap, and are then unrolled
        "silu_mul, n=16777216, tile_n=2048, 8, 1, dma.maximum_wrap, BUFFER_DESCRIPTORS, 1024",
        // pieces of 32 by 32 and 32 by 64, fp32 sums and bf16 results of 32 by 64
        "gemm, m=256;k=256;n=256;positions=256, tile_m=32;tile_k_l2=128;tile_k_l1=32;tile_n=64, 8, 4, array.core_memory_bytes, L1_CAPACITY, 19456",
        // panels of 128 by 256 twice, results of 256 by 256, in 8 memtiles
        "gemm, m=256;k=256;n=256;positions=256, tile_m=32;tile_k_l2=128;tile_k_l1=32;tile_n=64, 8, 4, array.memtile_memory_bytes, L2_CAPACITY, 32768",
        "gemm, m=256;k=256;n=256;positions=256, tile_m=32;tile_k_l2=128;tile_k_l1=32;tile_n=64, 8, 4, dma.maximum_stride, STRIDE, 16384",
        "gemm, m=256;k=256;n=256;positions=256, tile_m=32;tile_k_l2=128;tile_k_l1=32;tile_n=64, 8, 4, dma.shim_buffer_descriptors, BUFFER_DESCRIPTORS, 3",
        // five blocks of 64 by 64
        "flash_attention, seq_q=256;seq_k=256;heads=2;kv_heads=1;head_dim=64;causal=1, lqp=256;lkp=64;num_q_tiles=4;hpu=2;cascade=4;dv_chunks=1, 8, 4, "
                + "array.core_memory_bytes, L1_CAPACITY, 41984",
    })
    void a_launch_that_needs_exactly_what_there_is_places(String kernel, String shape, String tile, int columns, int rows, String field, String limit,
            long least) {
        Elf elf = new Elf().launch(kernel, "symbol", shape, tile, columns, rows);
        assertFalse(limits(elf, field, least).contains(limit), "%s = %d".formatted(field, least));
        assertTrue(limits(elf, field, least - 1).contains(limit), "%s = %d".formatted(field, least - 1));
    }

    @ParameterizedTest
    @CsvSource({"1023, false", "1024, true"})
    void so_many_runs_are_known_to_be_unrolled(int unrolled, boolean refused) {
        Elf elf = new Elf().launch("silu_mul", "symbol", "n=16777216", "tile_n=2048", 8, 1);
        assertEquals(refused, limits(elf, "functions.unrolled_runs", unrolled).contains("BUFFER_DESCRIPTORS"));
    }

    private static List<String> limits(Elf elf, String field, long value) {
        return Elf.blockers(Compiler.compile(elf.description(), Devices.load("npu2", List.of(field + "=" + value)))).stream().map(Blocker::limit).toList();
    }
}
