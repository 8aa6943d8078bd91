package dev.npuflow.workflow.cli;

import java.io.PrintWriter;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The form of all `--json` output: indented, words of a field joined by `_`, fields in the order they were put.
public final class JsonOutput {

    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT)
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

    private JsonOutput() {}

    public static void print(PrintWriter out, Object value) {
        out.println(MAPPER.writeValueAsString(value).replace(System.lineSeparator(), "\n"));
    }
}
