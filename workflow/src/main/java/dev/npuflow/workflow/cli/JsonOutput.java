package dev.npuflow.workflow.cli;

import java.io.PrintWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/// The form of all `--json` output: indented, words of a field joined by `_`, fields in the order they were put.
public final class JsonOutput {

    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT)
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).addModule(new SimpleModule().addSerializer(Double.class, new FiniteNumber())).build();

    private JsonOutput() {}

    /// JSON has no infinity: a ratio over nothing has nothing to say, which is `null`.
    private static final class FiniteNumber extends StdSerializer<Double> {

        FiniteNumber() {
            super(Double.class);
        }

        @Override public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            if (Double.isFinite(value)) {
                json.writeNumber(value.doubleValue());
            } else {
                json.writeNull();
            }
        }
    }

    public static void print(PrintWriter out, Object value) {
        out.println(MAPPER.writeValueAsString(value).replace(System.lineSeparator(), "\n"));
    }
}
