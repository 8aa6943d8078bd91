package dev.npuflow.workflow.reference;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Right values that do not come from this project's code, read from the test resources.
final class Recorded {

    private Recorded() {}

    static JsonNode json(String name) {
        try (InputStream in = Objects.requireNonNull(Recorded.class.getResourceAsStream("/reference/" + name), name)) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static float[] floats(JsonNode array) {
        return JsonMapper.shared().treeToValue(array, float[].class);
    }

    static int[] ints(JsonNode array) {
        return JsonMapper.shared().treeToValue(array, int[].class);
    }
}
