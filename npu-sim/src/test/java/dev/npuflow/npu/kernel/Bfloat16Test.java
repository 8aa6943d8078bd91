package dev.npuflow.npu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class Bfloat16Test {

    /// Bit patterns with their right rounding, from integer arithmetic.
    @Test
    void floats_round_to_nearest_even() throws Exception {
        int rows = 0;
        try (InputStream json = Objects.requireNonNull(Bfloat16Test.class.getResourceAsStream("/kernel/float-to-bfloat16.json"))) {
            for (Object row : JsonMapper.shared().readValue(json, List.class)) {
                Map<?, ?> entry = (Map<?, ?>) row;
                int bits = Integer.parseUnsignedInt((String) entry.get("f32"), 16);
                String rounded = "%04x".formatted(Bfloat16.fromFloat(Float.intBitsToFloat(bits)) & 0xffff);
                if (Float.isNaN(Float.intBitsToFloat(bits))) {
                    assertTrue(Float.isNaN(Bfloat16.toFloat((short) Integer.parseInt(rounded, 16))), entry.toString());
                } else {
                    assertEquals(entry.get("bf16"), rounded, entry.toString());
                }
                rows++;
            }
        }
        assertEquals(25, rows);
    }

    @Test
    void every_bf16_survives_the_way_to_float_and_back() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = Bfloat16.toFloat((short) bits);
            if (!Float.isNaN(value)) {
                assertEquals((short) bits, Bfloat16.fromFloat(value));
            }
        }
    }
}
