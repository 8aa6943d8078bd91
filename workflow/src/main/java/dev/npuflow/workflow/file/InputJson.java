package dev.npuflow.workflow.file;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// How JSON that somebody else wrote is read: a name that stands twice in an object is a fault, and so is what follows the value.
///
/// Each file has a parser of its own. A shared one keeps a table of the names that it has met, and among names of tens of thousands of characters that table
/// takes more memory than the files.
public final class InputJson {

    private InputJson() {}

    /// @throws JacksonException where it is no JSON
    public static JsonNode read(byte[] json) {
        return mapper().readTree(json);
    }

    /// @throws JacksonException where it is no JSON
    public static JsonNode read(String json) {
        return mapper().readTree(json);
    }

    private static JsonMapper mapper() {
        return JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    }
}
