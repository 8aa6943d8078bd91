package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Walks the table of test resources: each field of each class left out, and each field null.
class ClassDefaultsTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final JsonNode TABLE = JSON.readTree(ClassDefaultsTest.class.getResourceAsStream("/configs/class_defaults.json"));
    private static final int HEADS = 64;
    private static final int HIDDEN = 1024;

    /// No value here is a class's default, so that a default that is taken shows.
    private static final String WHOLE = """
            {"hidden_size": 1024, "intermediate_size": 96, "num_hidden_layers": 30, "num_attention_heads": 64, "vocab_size": 48, "num_key_value_heads": 16,
             "head_dim": 24, "max_position_embeddings": 65536, "rms_norm_eps": 0.001, "rope_theta": 777.0, "rope_scaling": {"type": "linear", "factor": 2.0},
             "hidden_act": "swish", "tie_word_embeddings": true, "attention_bias": true, "mlp_bias": false, "sliding_window": null, "use_sliding_window": true,
             "max_window_layers": 30, "layer_types": null, "bos_token_id": 40, "eos_token_id": 41}""";

    @TempDir Path directory;

    static Stream<Arguments> leftOut() {
        return TABLE.get("absent").properties().stream().flatMap(family -> family.getValue().properties().stream()
                .map(field -> Arguments.of(family.getKey(), field.getKey(), field.getValue())));
    }

    static Stream<Arguments> nulls() {
        return TABLE.get("absent").propertyNames().stream().flatMap(family -> TABLE.get("null").properties().stream()
                .filter(field -> !field.getKey().equals("source")).map(field -> Arguments.of(family, field.getKey(), field.getValue())));
    }

    @ParameterizedTest @MethodSource("leftOut") void a_field_left_out_means_what_its_class_takes(String family, String field, JsonNode expected) {
        ObjectNode config = whole(family);
        config.remove(field);
        assertEquals(expected(expected), found(family, field, config));
    }

    @ParameterizedTest @MethodSource("nulls") void a_field_that_is_null_is_not_one_left_out(String family, String field, JsonNode expected) {
        ObjectNode config = whole(family);
        config.putNull(field);
        JsonNode right = expected.asString().equals("absent") || !known(family, field) ? TABLE.get("absent").get(family).get(field) : expected;
        assertEquals(expected(right), found(family, field, config));
    }

    @Test void every_class_and_every_field_that_is_read_stands_in_the_table() {
        assertEquals(Stream.of(Architecture.values()).map(Architecture::className).sorted().toList(), TABLE.get("absent").propertyNames().stream().sorted().toList());
        List<String> fields = JSON.readTree(WHOLE).propertyNames().stream().sorted().toList();
        TABLE.get("absent").forEach(family -> assertEquals(fields, family.propertyNames().stream().sorted().toList()));
        assertEquals(fields, TABLE.get("null").propertyNames().stream().filter(name -> !name.equals("source")).sorted().toList());
    }

    /// e01: what is beyond the window would be attended to.
    @Test void a_window_that_its_class_takes_is_refused_as_one_that_is_written_down() {
        Cases.expected("e01").properties().forEach(variant -> {
            ModelDescription model = ConfigReader.read(Cases.folder("e01/" + variant.getKey()));
            boolean refused = variant.getValue().has("must");
            assertEquals(refused, !model.supported(), variant.getKey());
            assertEquals(refused, model.reason().contains("sliding window attention in use (sliding_window 4096"), model.reason());
            if (!refused) {
                float[] frequencies = model.config().rope().inverseFrequencies(1);
                for (int pair = 0; pair < frequencies.length; pair++) {
                    double right = variant.getValue().get("inv_freq").get(pair).doubleValue();
                    assertEquals(right, frequencies[pair], right * 1e-6);
                }
            }
        });
    }

    /// Where both are given, the layers of Qwen's classes are what `layer_types` says; Mistral's class does not read it.
    @Test void layer_types_decide_which_layers_have_qwens_window_and_not_mistrals() {
        Map<String, String> types = Map.of("full", "[\"full_attention\"]", "sliding", "[\"sliding_attention\"]");
        assertTrue(windowed("Qwen2ForCausalLM", "null"));
        assertFalse(windowed("Qwen2ForCausalLM", types.get("full")));
        assertTrue(windowed("Qwen3ForCausalLM", types.get("sliding")));
        assertTrue(windowed("MistralForCausalLM", types.get("full")));
    }

    private boolean windowed(String family, String types) {
        ObjectNode config = whole(family).put("num_hidden_layers", 1).put("sliding_window", 8).put("max_window_layers", 0);
        config.set("layer_types", JSON.readTree(types));
        return !read(config).supported();
    }

    private static ObjectNode whole(String family) {
        ObjectNode config = (ObjectNode) JSON.readTree(WHOLE);
        config.putArray("architectures").add(family);
        return config;
    }

    private ModelDescription read(ObjectNode config) {
        return new ModelFolder(directory).file("config.json", JSON.writeValueAsString(config)).read();
    }

    private static String expected(JsonNode value) {
        return switch (value.asString()) {
            case "heads" -> "" + HEADS;
            case "derived" -> "" + HIDDEN / HEADS;
            case "required" -> "refused";
            case String text -> text;
        };
    }

    private static boolean known(String family, String field) {
        return !TABLE.get("absent").get(family).get(field).asString().equals("unknown");
    }

    /// What a configuration makes of a field, in the table's words.
    private String found(String family, String field, ObjectNode config) {
        if (!known(family, field)) {
            return effect(whole(family), field);
        }
        try {
            return switch (field) {
                case "sliding_window" -> window(config.put("max_window_layers", 0));
                case "use_sliding_window" -> Boolean.toString(!window(config.put("sliding_window", 128).put("max_window_layers", 0)).equals("none"));
                case "max_window_layers" -> firstWindowLayer(config.put("sliding_window", 128));
                case "layer_types" -> family.startsWith("Qwen") && window(config.put("sliding_window", 128).put("max_window_layers", 29)).equals("128")
                        ? "from max_window_layers on" : window(config);
                default -> value(field, read(config).config());
            };
        } catch (NpuflowException refused) {
            assertTrue(refused.getMessage().contains(field), refused.getMessage());
            return "refused";
        }
    }

    /// Of a field that the class does not know: any value gives the same model.
    private String effect(ObjectNode config, String field) {
        String on = told(read(switch (field) {
            case "attention_bias", "mlp_bias", "use_sliding_window" -> config.put(field, true);
            default -> config.put(field, 0);
        }));
        config.remove(field);
        return on.equals(told(read(config))) ? "unknown" : on;
    }

    private static String told(ModelDescription model) {
        return "%s %s %s".formatted(model.reason(), model.maximumPositions(), model.supported() ? Fingerprint.of(model.config(), List.of()) : "");
    }

    private String window(ObjectNode config) {
        ModelDescription model = read(config);
        return model.supported() ? "none" : model.reason().replaceAll(".*sliding_window ([0-9]+).*", "$1");
    }

    /// The most layers that stay without a window.
    private String firstWindowLayer(ObjectNode config) {
        return IntStream.range(1, 40).filter(layers -> !window(config.put("num_hidden_layers", layers)).equals("none")).mapToObj(layers -> "" + (layers - 1))
                .findFirst().orElse("none");
    }

    private static String value(String field, ModelConfig config) {
        Object value = switch (field) {
            case "num_key_value_heads" -> config.keyValueHeads();
            case "head_dim" -> config.headDim();
            case "max_position_embeddings" -> config.maximumPositions();
            case "rms_norm_eps" -> Double.parseDouble(Float.toString(config.rmsNormEpsilon()));
            case "rope_theta" -> config.rope().theta();
            case "rope_scaling" -> config.rope().type().word();
            case "hidden_act" -> "silu";
            case "tie_word_embeddings" -> config.tiedHead();
            case "attention_bias" -> config.block().hasOutputBias();
            case "mlp_bias" -> TensorShapes.of(config).containsKey("model.layers.0.mlp.down_proj.bias");
            case "bos_token_id" -> config.bosTokenId().isPresent() ? config.bosTokenId().getAsInt() : "none";
            case "eos_token_id" -> config.eosTokenIds().isEmpty() ? "none" : config.eosTokenIds().getFirst();
            default -> throw new IllegalStateException(field + " is required, and was not refused");
        };
        return value.toString();
    }
}
