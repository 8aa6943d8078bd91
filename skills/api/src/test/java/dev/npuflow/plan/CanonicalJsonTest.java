package dev.npuflow.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {

    private static final Source EVERY_SOURCE = new Source.Packed(List.of(new Source.Activation("a"), new Source.LookUpTable("t"),
            new Source.Scratch(), new Source.InterleavedWeights(List.of(new Source.Weight("gate", 0, 4), new Source.Weight("up", 0, 4)))),
            List.of(16, 16, 16, 16));

    private static final Deployment PLAN = Plans.deployment(Plans.call("norm", Plans.norm().launches(), Plans.activation("x"),
            Plans.argument("weight", EVERY_SOURCE), Plans.activation("y").withReadBack(true)), Plans.norm());

    @Test void a_plan_comes_back_equal() {
        Deployment back = CanonicalJson.read(CanonicalJson.write(PLAN), Deployment.class);
        assertEquals(PLAN, back);
        assertEquals(PLAN.hash(), back.hash());
    }

    @Test void properties_stand_in_alphabetical_order_and_nothing_is_derived_into_them() {
        assertEquals("{\"columns\":8,\"rows\":1}", CanonicalJson.write(new Herd(8, 1)));
        assertEquals("{\"dataType\":\"BF16\",\"name\":\"x\",\"readBack\":false,\"shape\":[64],"
                + "\"source\":{\"from\":\"activation\",\"value\":\"x\"},\"transfer\":\"EVERY_CALL\"}", CanonicalJson.write(Plans.activation("x")));
    }

    @Test void a_step_carries_its_kind_wherever_it_stands() {
        Step step = Plans.norm();
        String json = CanonicalJson.write(step);
        assertTrue(json.startsWith("{\"step\":\"npu_call\","), json);
        assertEquals(step, CanonicalJson.read(json, Step.class));
    }

    @Test void equal_data_has_one_hash_whatever_order_its_maps_were_filled_in() {
        TreeMap<String, Integer> backwards = new TreeMap<>(Map.of("n", 64));
        backwards.put("a", 1);
        TreeMap<String, Integer> forwards = new TreeMap<>(Map.of("a", 1));
        forwards.put("n", 64);
        assertEquals(CanonicalJson.hash(backwards), CanonicalJson.hash(forwards));
    }

    @Test void the_hash_is_the_sha_256_of_the_bytes() {
        // printf '{"columns":8,"rows":1}' | sha256sum
        assertEquals("81a2048f98062db4e54a303345fa8a6b888e502997d8bfa98d54b7442fb352db", CanonicalJson.hash(new Herd(8, 1)));
    }

    /// The expected value is Python's `hashlib.sha256` of the same bytes.
    @Test void the_hash_covers_the_last_byte_of_a_long_plan() {
        assertEquals("aee7d685e6458ec4f0cf7331caeaf5ded0be26e79530eae9702cb3a34fdb0746", CanonicalJson.hash("a".repeat(100_000) + "x"));
        assertNotEquals(CanonicalJson.hash("a".repeat(100_000) + "y"), CanonicalJson.hash("a".repeat(100_000) + "x"));
    }

    @Test void another_transfer_has_another_hash() {
        Deployment changed = PLAN.mapCalls(Phase.DECODE, call -> call.withBufferKey(BufferKey.PER_LAYER));
        assertNotEquals(PLAN.hash(), changed.hash());
    }

    @Test void an_unknown_property_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{\"columns\":8,\"rows\":1,\"depth\":2}", Herd.class));
    }

    @Test void a_missing_property_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{\"columns\":8}", Herd.class));
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{\"argument\":\"x\",\"offset\":0}", Operand.class));
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{\"from\":\"activation\"}", Source.class));
    }

    /// Written before there was a bias on O: the ledger's plans come back with the hash that they had.
    @Test void a_flag_that_came_later_is_absent_where_it_is_false_and_is_read_as_false_where_it_is_absent() {
        String before = "{\"headDim\":32,\"heads\":2,\"hiddenSize\":64,\"intermediateSize\":128,\"keyValueHeads\":1,\"layers\":2,\"name\":\"toy\","
                + "\"paddedPrefill\":2048,\"queryKeyNorm\":false,\"queryKeyValueBias\":true,\"rmsNormEpsilon\":1.0E-5,\"rotaryDim\":32,\"tiedHead\":true,\"vocabSize\":128}";
        ModelShape shape = new ModelShape("toy", 2, 64, 128, 2, 1, 32, 128, true, true, false, 1e-5, 2048);
        assertEquals(before, CanonicalJson.write(shape));
        assertEquals(shape, CanonicalJson.read(before, ModelShape.class));
        String after = before.replace("\"paddedPrefill\"", "\"outputBias\":true,\"paddedPrefill\"");
        assertEquals(after, CanonicalJson.write(shape.withOutputBias()));
        assertEquals(shape.withOutputBias(), CanonicalJson.read(after, ModelShape.class));
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read(before.replace("\"queryKeyNorm\":false,", ""), ModelShape.class), "the others are still asked for");
    }

    @Test void a_value_out_of_range_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{\"columns\":0,\"rows\":1}", Herd.class));
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{\"columns\":8.5,\"rows\":1}", Herd.class));
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{\"columns\":8,\"rows\":1} x", Herd.class));
    }

    @Test void a_packed_source_is_refused_whose_sizes_do_not_belong_to_its_parts() {
        String part = "{\"from\":\"scratch\"}";
        assertThrows(IllegalArgumentException.class,
                () -> CanonicalJson.read("{\"from\":\"packed\",\"parts\":[%s],\"sizes\":[1,2]}".formatted(part), Source.class));
        assertEquals(new Source.Packed(List.of(new Source.Scratch()), List.of(2)),
                CanonicalJson.read("{\"from\":\"packed\",\"parts\":[%s],\"sizes\":[2]}".formatted(part), Source.class));
    }
}
