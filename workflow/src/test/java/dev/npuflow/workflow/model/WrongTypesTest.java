package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A field of config.json or generation_config.json with a value of another type, or out of range: named, and never read as the field's default.
class WrongTypesTest {

    private static final String TEXT = "\"AAA\"";

    @TempDir private Path directory;

    private static List<String> wrongFor(String kind) {
        List<String> containers = List.of("{}", "{\"a\": 1}", "[[1]]", "[null]");
        List<String> wrong = switch (kind) {
            case "flag" -> List.of(TEXT, "\"true\"", "0", "1", "-1", "1.5", "[]", "[true]");
            case "count" -> List.of(TEXT, "\"4\"", "true", "0", "-1", "-5", "1.5", "9e18", "2147483648", "1e400", "[]", "[4]");
            case "epsilon" -> List.of(TEXT, "\"1e-5\"", "true", "-1e-5", "9e18", "2", "1e400", "[]", "null");
            case "text" -> List.of("true", "1", "1.5", "[]", "[\"silu\"]");
            case "ids" -> List.of(TEXT, "\"1\"", "true", "-1", "1.5", "9e18", "[1.5]", "[-1]", "[\"1\"]");
            default -> throw new IllegalArgumentException(kind);
        };
        return Stream.concat(wrong.stream(), containers.stream()).toList();
    }

    @ParameterizedTest
    @CsvSource({"hidden_size,count", "intermediate_size,count", "num_hidden_layers,count", "num_attention_heads,count", "num_key_value_heads,count", "head_dim,count", "vocab_size,count",
        "max_position_embeddings,count", "rms_norm_eps,epsilon", "tie_word_embeddings,flag", "attention_bias,flag", "mlp_bias,flag", "use_sliding_window,flag", "is_encoder_decoder,flag",
        "hidden_act,text", "model_type,text", "eos_token_id,ids"})
    void is_refused_by_name(String field, String kind) {
        for (String wrong : wrongFor(kind)) {
            ModelFolder folder = new ModelFolder(directory).config("{\"%s\": %s}".formatted(field, wrong));
            NpuflowException fault = assertThrows(NpuflowException.class, () -> folder.read().config(), () -> field + " = " + wrong);
            assertTrue(fault.getMessage().contains(field), () -> field + " = " + wrong + ": " + fault.getMessage());
        }
    }

    @Test void in_generation_config_json_too() {
        for (String wrong : wrongFor("ids")) {
            ModelFolder folder = new ModelFolder(directory).config("{}").file("generation_config.json", "{\"eos_token_id\": %s}".formatted(wrong));
            assertTrue(assertThrows(NpuflowException.class, folder::read, wrong).getMessage().contains("generation_config.json: field eos_token_id"));
        }
    }

    /// In published files these say that there is none, or what the class derives.
    @ParameterizedTest
    @CsvSource({"rope_scaling", "sliding_window", "pad_token_id", "bos_token_id", "eos_token_id", "head_dim", "num_key_value_heads", "mlp_bias", "attention_bias"})
    void null_stays_what_published_files_mean_by_it(String field) {
        assertEquals(64, new ModelFolder(directory).config("{\"%s\": null}".formatted(field)).read().config().hiddenSize());
    }
}
