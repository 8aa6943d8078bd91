package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class Bfloat16Test {

    @Test void rounds_to_nearest_even_as_recorded() {
        JsonNode rows = Cases.expected("b03");
        assertEquals(25, rows.size());
        for (JsonNode row : rows) {
            float value = Float.intBitsToFloat(Integer.parseUnsignedInt(row.get("f32").asString(), 16));
            String expected = row.get("bf16").asString();
            if (expected.startsWith("NaN")) {
                assertTrue(Float.isNaN(Bfloat16.round(value)), row.toString());
            } else {
                assertEquals(expected, "%04x".formatted(Bfloat16.bits(value) & 0xffff), row.toString());
            }
        }
    }

    @Test void leaves_every_bf16_value_as_it_is() {
        for (int bits = 0; bits < 0x10000; bits++) {
            float value = Bfloat16.value((short) bits);
            assertEquals(value, Bfloat16.round(value));
            if (!Float.isNaN(value)) {
                assertEquals((short) bits, Bfloat16.bits(value));
            }
        }
    }
}
