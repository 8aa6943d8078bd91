package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TraceTest {

    @TempDir Path folder;

    @Test void a_traced_token_takes_as_long_as_the_estimate_says() throws IOException {
        Path file = folder.resolve("out.json.gz");
        double milliseconds = estimate(file);
        double end = 0;
        Map<String, Integer> names = new TreeMap<>();
        for (JsonNode event : events(file)) {
            if (event.path("ph").asString().equals("X")) {
                end = Math.max(end, event.path("ts").asDouble() + event.path("dur").asDouble());
                names.merge(event.path("name").asString(), 1, Integer::sum);
            }
        }
        assertEquals(milliseconds * 1000, end, 0.01);
        assertEquals(16, names.get("rms_gemv_rope"));
        assertEquals(33, names.get("run"), "two XRT calls a layer and the LM head");
        assertTrue(names.get("L3 to L2") > 100, "the transfers of an ELF's first run");
    }

    @Test void the_same_estimate_writes_the_same_trace() throws IOException {
        Path one = folder.resolve("one.json.gz");
        Path two = folder.resolve("two.json.gz");
        estimate(one);
        estimate(two);
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
    }

    private static double estimate(Path trace) {
        StringWriter out = new StringWriter();
        assertEquals(0, NpuflowCommand.commandLine().setOut(new PrintWriter(out)).execute("estimate", "src/test/resources/configs/llama32_1b", "--context", "64",
                "--trace", trace.toString(), "--json"));
        return ((Number) new JsonMapper().readValue(out.toString(), Map.class).get("ms_per_token")).doubleValue();
    }

    private static JsonNode events(Path file) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new JsonMapper().readTree(in.readAllBytes()).path("traceEvents");
        }
    }
}
