package dev.npuflow.workflow.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.Tensor;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrongCopiesTest {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final String OUTPUT = "model.layers.0.self_attn.o_proj.weight";

    @TempDir Path cache;

    @Test void each_differs_from_the_model_in_a_weight_or_a_field_and_in_its_fingerprint() {
        try (LanguageModel right = tiny()) {
            List<Control> controls = WrongCopies.of(right.config());
            assertTrue(controls.size() >= 50, () -> controls.size() + " copies");
            Set<String> fingerprints = new HashSet<>(Set.of(right.fingerprint()));
            for (Control control : controls) {
                try (LanguageModel wrong = control.model().apply(right)) {
                    assertTrue(fingerprints.add(wrong.fingerprint()), control::name);
                }
            }
        }
    }

    @Test void a_dropped_head_has_no_part_in_the_output_and_all_else_is_the_models_own() {
        try (LanguageModel right = tiny(); LanguageModel wrong = copy(right, "a head dropped", "layer 0, head 0")) {
            Tensor before = right.weights().tensor(OUTPUT);
            Tensor after = wrong.weights().tensor(OUTPUT);
            int headDim = right.config().headDim();
            assertEquals(0, after.data().get(BF16, 2L * (headDim - 1)));
            assertNotEquals(0, before.data().get(BF16, 2L * (headDim - 1)));
            assertEquals(before.data().get(BF16, 2L * headDim), after.data().get(BF16, 2L * headDim));
            assertSame(right.weights().tensor("model.norm.weight").data(), wrong.weights().tensor("model.norm.weight").data());
        }
    }

    /// Groups of one row: the largest value stays, and every other is a multiple of a seventh of it.
    @Test void int4_has_fifteen_values_a_row() {
        try (LanguageModel right = tiny(); LanguageModel wrong = copy(right, "another number format", "int4, a scale a row")) {
            Tensor quantized = wrong.weights().tensor(OUTPUT);
            Set<Short> values = new HashSet<>();
            for (int column = 0; column < quantized.columns(); column++) {
                values.add(quantized.data().get(BF16, 2L * column));
            }
            assertTrue(values.size() <= 15, values::toString);
            assertTrue(values.size() > 4, values::toString);
        }
    }

    @Test void exchanged_layers_are_each_others() {
        try (LanguageModel right = tiny(); LanguageModel wrong = copy(right, "two layers exchanged", "2 and 3")) {
            assertSame(right.weights().tensor("model.layers.3.mlp.down_proj.weight").data(), wrong.weights().tensor("model.layers.2.mlp.down_proj.weight").data());
            assertSame(right.weights().tensor("model.layers.1.mlp.down_proj.weight").data(), wrong.weights().tensor("model.layers.1.mlp.down_proj.weight").data());
        }
    }

    @Test void a_tied_head_is_changed_with_its_embedding() {
        try (LanguageModel right = tiny(); LanguageModel wrong = copy(right, "rows exchanged", "two ids of the vocabulary")) {
            assertTrue(right.config().tiedHead());
            assertSame(wrong.weights().tensor("model.embed_tokens.weight"), wrong.weights().tensor("lm_head.weight"));
        }
    }

    private LanguageModel tiny() {
        return LanguageModels.open(Path.of(System.getProperty("npuflow.root"), "programming_examples", "llms", "tiny_kjv"), OpenOptions.cachingIn(cache));
    }

    private static LanguageModel copy(LanguageModel right, String kind, String name) {
        return WrongCopies.of(right.config()).stream().filter(control -> control.kind().equals(kind) && control.name().equals(name)).findFirst().orElseThrow()
                .model().apply(right);
    }
}
