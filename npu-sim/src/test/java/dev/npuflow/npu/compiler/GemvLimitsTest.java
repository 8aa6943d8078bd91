package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GemvLimitsTest {

    /// Repeat counts and partitions (`c05`), memory of tilings (`c07`): right values that the programs under test did not make.
    private static JsonNode right(String id) {
        try (InputStream file = Objects.requireNonNull(GemvLimitsTest.class.getResourceAsStream("/cases/%s/expected.json".formatted(id)), id)) {
            return JsonMapper.shared().readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Elf gemv(JsonNode row, int tile, int input) {
        return new Elf().gemv(row.get("M").asInt(), row.get("K").asInt(), tile, input, row.get("herd_m").asInt());
    }

    static List<JsonNode> repeats() {
        return right("c05").get("rows").valueStream().toList();
    }

    static List<JsonNode> tilings() {
        return right("c07").get("rows").valueStream().toList();
    }

    @ParameterizedTest
    @MethodSource("repeats")
    void a_repeat_over_255_is_refused_and_never_cut_to_its_low_byte(JsonNode row) {
        Elf elf = gemv(row, row.get("tile_m").asInt(), row.get("tile_m").asInt());
        boolean fits = row.get("fits_0_to_255").asBoolean();
        assertEquals(fits, !elf.limits().contains("REPEAT"));
        if (!fits) {
            String message = elf.message("REPEAT");
            assertTrue(message.startsWith("'aiex.npu.push_queue' op Repeat count exceeds [0:255]"), message);
            assertTrue(message.contains("M=%d, K=%d".formatted(row.get("M").asInt(), row.get("K").asInt())), message);
            assertTrue(message.contains("%d runs of".formatted(row.get("runs_of_the_outer_loop").asInt())), message);
            assertTrue(message.contains("repeat %d)".formatted(row.get("repeat_field_runs_minus_1").asInt())), message);
        }
    }

    @ParameterizedTest
    @MethodSource("repeats")
    void two_loops_place_what_one_cannot_where_the_runs_divide(JsonNode row) {
        JsonNode split = row.get("two_loop_split_each_at_most_256");
        Elf elf = gemv(row, row.get("tile_m").asInt(), row.get("tile_m").asInt()).tiling(split.isNull() ? 256 : split.get(0).asInt());
        boolean divides = !split.isNull();
        assertEquals(divides, !elf.limits().contains("REPEAT"));
        if (divides) {
            assertEquals(row.get("runs_of_the_outer_loop").asInt(), split.get(0).asInt() * split.get(1).asInt());
        }
    }

    @ParameterizedTest
    @MethodSource("tilings")
    void a_tiling_that_overflows_a_memory_is_refused_with_the_bytes(JsonNode row) {
        Elf elf = gemv(row, row.get("tile_m").asInt(), row.get("m_input").asInt());
        List<String> limits = elf.limits();
        assertEquals(row.get("l2_ok_524288").asBoolean(), !limits.contains("L2_CAPACITY"));
        assertEquals(row.get("l1_ok_65536").asBoolean(), !limits.contains("L1_CAPACITY"));
        assertEquals(row.get("rows_divide").asBoolean(), !limits.contains("ROWS_DIVIDE"));
        if (limits.contains("L2_CAPACITY")) {
            assertTrue(elf.message("L2_CAPACITY").contains("= %dB > 524288B".formatted(row.get("l2_bytes").asLong())), elf.message("L2_CAPACITY"));
        }
        if (limits.contains("L1_CAPACITY")) {
            assertTrue(elf.message("L1_CAPACITY").contains("= %dB > 65536B".formatted(row.get("l1_bytes_estimate").asLong())), elf.message("L1_CAPACITY"));
        }
    }

    @Test
    void the_texts_are_those_of_the_builder() {
        assertEquals("M (100) must be divisible by tile_m * herd_m (64)", new Elf().gemv(100, 64, 8, 8, 8).message("ROWS_DIVIDE"));
        assertEquals("tile_m (8) must be divisible by m_input (3)", new Elf().gemv(64, 64, 8, 3, 8).message("INPUT_ROWS_DIVIDE"));
        assertEquals("K (100) must be divisible by 64 (vector width)", new Elf().gemv(64, 100, 8, 8, 8).message("VECTOR_WIDTH"));
        assertEquals("L2 capacity exceeded: A=524288B + C=256B = 524544B > 524288B. Reduce herd_m (8), tile_m (16), or k (2048).",
                new Elf().gemv(2048, 2048, 16, 16, 8).message("L2_CAPACITY"));
    }

    @ParameterizedTest
    @CsvSource({"2048, 8, 8, false, true", "2048, 8, 8, true, false", "2048, 8, 4, true, true", "8192, 2, 2, false, true",
        "8192, 2, 2, true, false", "8192, 2, 1, true, false", "11008, 2, 1, false, true", "11008, 2, 2, false, false"})
    void ping_pong_doubles_what_a_core_holds(int k, int tile, int input, boolean pingPong, boolean places) {
        assertEquals(places, new Elf().gemv(2048, k, tile, input, 8).pingPong(pingPong).blockers().isEmpty());
    }

    @Test
    void the_largest_divisor_up_to_the_tiling_asked_for_counts() {
        // 2004 runs: 12 divides, 13 to 16 do not; 167 runs remain. m_input 4 doubles the vector's.
        assertTrue(new Elf().gemv(128_256, 2048, 8, 8, 8).tiling(16).blockers().isEmpty());
        assertEquals(List.of("REPEAT_VECTOR"), new Elf().gemv(128_256, 2048, 8, 4, 8).tiling(16).limits());
        // 257 runs are prime: no tiling helps.
        assertEquals(List.of("REPEAT", "REPEAT_VECTOR"), new Elf().gemv(16_448, 2048, 8, 8, 8).tiling(16).limits());
        // 49152 rows ran on silicon with tiling 4.
        assertTrue(new Elf().gemv(49_152, 2048, 8, 8, 8).tiling(4).blockers().isEmpty());
    }

    @Test
    void the_parts_of_a_partitioned_head_all_fit() {
        JsonNode qwen = right("c05").get("partition_151936_by_8192");
        JsonNode llama = right("c05").get("partition_128256_by_8192");
        int whole = qwen.get("sizes_first_last").get(0).asInt();
        int last = qwen.get("sizes_first_last").get(1).asInt();
        assertEquals(151_936, (qwen.get("partitions").asInt() - 1) * whole + last);
        assertEquals(128_256, (llama.get("partitions").asInt() - 1) * whole + llama.get("last").asInt());
        for (int rows : new int[] {whole, last, llama.get("last").asInt()}) {
            assertEquals(List.of(), new Elf().gemv(rows, 1024, 4, 4, 8).blockers(), rows + " rows");
        }
    }

    @Test
    void an_odd_tile_is_refused_and_an_even_one_on_a_smaller_herd_is_not() {
        assertTrue(new Elf().gemv(40, 64, 5, 5, 8).limits().contains("GRANULARITY"));
        assertFalse(new Elf().gemv(40, 64, 10, 10, 4).limits().contains("GRANULARITY"));
    }

    @Test
    void a_gemv_runs_on_one_row_of_an_array_that_holds_it() {
        assertEquals(List.of("HERD_ROWS"), new Elf().launch("gemv", "mv", "m=64;k=64", "tile_m=2;m_input=2", 8, 2).limits());
        assertEquals(List.of("HERD_FIT"), new Elf().gemv(64, 64, 2, 2, 16).limits());
    }
}
