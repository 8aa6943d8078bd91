package dev.npuflow.workflow.cli;

import java.io.PrintWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The form of all `--json` output: indented, fields in the order they were put.
final class JsonOutput {

    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonOutput() {}

    static void print(PrintWriter out, Object value) {
        out.println(MAPPER.writeValueAsString(value).replace(System.lineSeparator(), "\n"));
    }
}
