package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The values beside each scaling come from transformers 5.18's own functions, run in float64 for head_dim 16 and theta 10000.
class RopeReaderTest {

    private static final String LONGROPE = "'short_factor':[1,1.05,1.1,1.2,1.3,1.4,1.5,1.6],'long_factor':[1,2,3,4,5,6,7,8]";

    @TempDir Path directory;

    private static void assertFrequencies(double[] expected, Rope rope) {
        assertFrequencies(expected, rope, 1);
    }

    private static void assertFrequencies(double[] expected, Rope rope, int length) {
        float[] found = rope.inverseFrequencies(length);
        assertEquals(expected.length, found.length);
        for (int pair = 0; pair < expected.length; pair++) {
            assertEquals(expected[pair], found[pair], expected[pair] * 1e-6, "pair " + pair + " of " + Arrays.toString(found));
        }
    }

    private static double[] numbers(JsonNode list) {
        return list.valueStream().mapToDouble(JsonNode::doubleValue).toArray();
    }

    private Rope rope(String field, String scaling, int positions) {
        String config = "{'%s': {%s}, 'max_position_embeddings': %d}".formatted(field, scaling, positions).replace('\'', '"');
        return new ModelFolder(directory).config(config).read().rope().orElseThrow();
    }

    @Test void llama3_scaling_keeps_fast_pairs_blends_the_middle_and_divides_the_slow_ones() {
        Rope rope = ConfigReader.read(Cases.folder("a01/full")).rope().orElseThrow();
        assertFrequencies(numbers(Cases.expected("a01").get("full").get("inv_freq")), rope);
        assertEquals(1, rope.attentionFactor());
        assertEquals(64, rope.rotaryDim());
    }

    @Test void llama3_scaling_of_a_short_original_length_is_right_too() {
        Rope rope = ConfigReader.read(Cases.folder("a01/tiny")).rope().orElseThrow();
        assertFrequencies(numbers(Cases.expected("a01").get("tiny").get("inv_freq")), rope);
    }

    @ParameterizedTest
    @ValueSource(strings = {"config_partial", "config_partial_v5"})
    void a_partial_rotation_spans_its_own_entries_in_both_spellings_also_of_a_foreign_architecture(String variant) {
        ModelDescription model = ConfigReader.read(Cases.folder("b02/" + variant));
        assertFalse(model.supported());
        assertEquals(8, model.rope().orElseThrow().rotaryDim());
        assertFrequencies(numbers(Cases.expected("b02").get("partial").get("inv_freq")), model.rope().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"rope_scaling,type", "rope_scaling,rope_type", "rope_parameters,rope_type"})
    void linear_scaling_divides_every_pair_in_each_spelling(String field, String key) {
        double[] expected = {0.25, 0.0790569415, 0.025, 0.00790569415, 0.0025, 0.000790569415, 0.00025, 7.90569415e-05};
        assertFrequencies(expected, rope(field, "'%s':'linear','factor':4.0".formatted(key), 2048));
    }

    @Test void the_default_type_and_no_scaling_at_all_are_the_same() {
        double[] expected = {1.0, 0.316227766, 0.1, 0.0316227766, 0.01, 0.00316227766, 0.001, 0.000316227766};
        assertFrequencies(expected, rope("rope_scaling", "", 2048));
        assertFrequencies(expected, rope("rope_parameters", "'rope_type':'default','rope_theta':10000", 2048));
    }

    @Test void theta_inside_rope_parameters_counts() {
        Rope rope = rope("rope_parameters", "'rope_type':'default','rope_theta':1e6", 2048);
        assertEquals(Math.pow(1e6, -7 / 8.0), rope.inverseFrequencies(1)[7], 1e-11);
    }

    @Test void dynamic_scaling_changes_nothing_within_the_pretrained_length_and_grows_the_base_beyond_it() {
        String scaling = "'type':'dynamic','factor':2.0";
        double[] within = {1.0, 0.316227766, 0.1, 0.0316227766, 0.01, 0.00316227766, 0.001, 0.000316227766};
        double[] beyond = {1.0, 0.239481356, 0.0573513199, 0.0137345719, 0.00328917389, 0.000787695824, 0.000188638464, 4.51753951e-05};
        Rope rope = rope("rope_scaling", scaling, 256);
        assertFrequencies(within, rope, 100);
        assertFrequencies(within, rope, 256);
        assertFrequencies(beyond, rope, 1024);
        assertFrequencies(within, rope, 255);
    }

    @Test void dynamic_scaling_lets_a_text_be_longer_by_its_factor_and_no_other_scaling_does() {
        String config = "{'max_position_embeddings': 256, 'rope_scaling': {'type':'%s','factor':2.5}}";
        assertEquals(640, new ModelFolder(directory).config(config.formatted("dynamic").replace('\'', '"')).read().config().maximumPositions());
        assertEquals(256, new ModelFolder(directory).config(config.formatted("linear").replace('\'', '"')).read().config().maximumPositions());
    }

    @Test void yarn_ramps_between_kept_and_divided_pairs_and_scales_attention() {
        double[] expected = {1.0, 0.25693506, 0.0625, 0.0138349648, 0.0025, 0.000790569415, 0.00025, 7.90569415e-05};
        Rope rope = rope("rope_scaling", "'type':'yarn','factor':4.0,'original_max_position_embeddings':256", 1024);
        assertFrequencies(expected, rope);
        assertEquals(1.13862944, rope.attentionFactor(), 1e-6);
    }

    @Test void yarn_takes_both_magnitude_scales_into_account() {
        double[] expected = {1.0, 0.316227766, 0.1, 0.0239147248, 0.005125, 0.000849862121, 2.5e-05, 7.90569415e-06};
        Rope rope = rope("rope_parameters", "'rope_type':'yarn','factor':40.0,'original_max_position_embeddings':4096,'mscale':0.707,"
                + "'mscale_all_dim':0.5,'beta_fast':32,'beta_slow':1", 1024);
        assertFrequencies(expected, rope);
        assertEquals(1.0644689, rope.attentionFactor(), 1e-6);
    }

    @Test void yarn_without_truncation_and_with_its_own_attention_factor() {
        double[] expected = {1.0, 0.29152562, 0.0506643944, 0.00790569415, 0.0025, 0.000790569415, 0.00025, 7.90569415e-05};
        Rope rope = rope("rope_scaling", "'type':'yarn','factor':4.0,'original_max_position_embeddings':256,'truncate':false,"
                + "'attention_factor':1.25,'beta_fast':16,'beta_slow':2", 1024);
        assertFrequencies(expected, rope);
        assertEquals(1.25, rope.attentionFactor(), 1e-6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"longrope", "su"})
    void longrope_takes_the_long_factors_only_beyond_the_original_length(String spelling) {
        String scaling = "'type':'%s',%s,'original_max_position_embeddings':256".formatted(spelling, LONGROPE);
        double[] within = {1.0, 0.301169301, 0.0909090909, 0.0263523138, 0.00769230769, 0.00225876976, 0.000666666667, 0.000197642354};
        double[] beyond = {1.0, 0.158113883, 0.0333333333, 0.00790569415, 0.002, 0.000527046277, 0.000142857143, 3.95284708e-05};
        Rope rope = rope("rope_scaling", scaling, 1024);
        assertFrequencies(within, rope, 1);
        assertFrequencies(within, rope, 256);
        assertFrequencies(beyond, rope, 257);
        assertFrequencies(within, rope, 256);
        assertEquals(1.11803399, rope.attentionFactor(), 1e-6);
        assertEquals(1.17260394, rope("rope_scaling", scaling + ",'factor':8.0", 1024).attentionFactor(), 1e-6);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'type':'linear'|factor is missing", "'type':'linear','factor':'four'|field factor (\"four\")", "'type':'linear','factor':0|field factor (0)",
            "'type':'llama3','factor':8,'low_freq_factor':4,'high_freq_factor':4|high_freq_factor", "'type':'longrope','factor':2|short_factor is missing",
            "'type':'longrope','short_factor':[1],'long_factor':[1]|short_factor",
            "'type':'longrope','short_factor':[1,1,1,1,1,1,1,1]|long_factor is missing",
            "'type':'longrope','short_factor':[1,1,1,1,1,1,1,1],'long_factor':[1,1,1,1,1,1,1,0]|long_factor",
            "'type':'dynamic'|factor is missing", "'type':'dynamic','factor':-1|field factor (-1)", "'type':7,'factor':2|field type (7)"})
    void a_scaling_with_a_missing_or_impossible_field_is_refused_by_its_name(String scaling, String named) {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> rope("rope_scaling", scaling, 1024));
        assertTrue(refused.getMessage().contains(named.replace('\'', '"')), refused.getMessage());
        assertTrue(refused.getMessage().contains("config.json"), refused.getMessage());
    }
}
