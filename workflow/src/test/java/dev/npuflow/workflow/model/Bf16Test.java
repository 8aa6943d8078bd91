package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class Bf16Test {

    @TempDir Path directory;

    @Test void every_row_of_the_case_rounds_to_nearest_even() {
        JsonNode rows = Cases.expected("b03");
        assertEquals(25, rows.size());
        for (JsonNode row : rows) {
            int bits = HexFormat.fromHexDigits(row.get("f32").stringValue());
            short rounded = Bf16.round(bits);
            if (Float.isNaN(Float.intBitsToFloat(bits))) {
                assertTrue(Float.isNaN(Float.intBitsToFloat(rounded << 16)), row.toString());
            } else {
                assertEquals(row.get("bf16").stringValue(), HexFormat.of().toHexDigits(rounded), row.toString());
            }
        }
    }

    @Test void a_whole_buffer_is_rounded_also_across_chunks_and_from_any_address() {
        long count = (1 << 20) + 3;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment from = arena.allocate(4 * count + 1).asSlice(1);
            MemorySegment to = arena.allocate(2 * count);
            for (long i = 0; i < count; i++) {
                from.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * i, i);
            }
            Bf16.roundF32(from, to, count);
            assertEquals(0x3f80, to.getAtIndex(ValueLayout.JAVA_SHORT, 1));
            assertEquals(0x4980, to.getAtIndex(ValueLayout.JAVA_SHORT, count - 1), "1048578 rounds to 2^20");
        }
    }

    /// 1.0009765625 is the fp16 after 1: a quarter of a bf16 step, so it rounds down; 65504 is the largest fp16 and rounds up to 65536.
    @ParameterizedTest
    @CsvSource({"3c00,3f80", "3c01,3f80", "3c07,3f81", "7bff,4780", "0001,3380", "8001,b380", "7c00,7f80", "fc00,ff80"})
    void fp16_is_rounded_through_its_exact_value(String half, String expected) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment from = arena.allocate(2);
            MemorySegment to = arena.allocate(2);
            from.set(ValueLayout.JAVA_SHORT, 0, (short) HexFormat.fromHexDigits(half));
            Bf16.roundF16(from, to, 1);
            assertEquals(expected, HexFormat.of().toHexDigits(to.get(ValueLayout.JAVA_SHORT, 0)));
        }
    }

    @ParameterizedTest
    @CsvSource({"F32,0000803f,3f80", "F16,003c,3f80"})
    void a_checkpoint_of_wider_or_other_floats_gives_bf16_tensors(String dtype, String one, String bf16) throws Exception {
        ModelFolder folder = new ModelFolder(directory).config("{}");
        byte[] element = HexFormat.of().parseHex(one);
        byte[] file = ShardedWeightsTest.whole(TensorShapes.of(folder.read().config()), dtype, element);
        Files.write(directory.resolve("model.safetensors"), file);
        try (LanguageModel model = folder.open(directory.resolve("cache"))) {
            Tensor up = model.weights().tensor("model.layers.0.mlp.up_proj.weight");
            assertEquals(64 * 64 * 2L, up.data().byteSize());
            assertEquals(bf16, HexFormat.of().toHexDigits(up.data().get(ValueLayout.JAVA_SHORT_UNALIGNED, 64 * 64 * 2L - 2)));
            assertTrue(up.data().isReadOnly());
        }
    }
}
