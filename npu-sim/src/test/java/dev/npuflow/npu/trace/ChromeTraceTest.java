package dev.npuflow.npu.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.clock.ElfReplay;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.Devices;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ChromeTraceTest {

    private static final ElfDescription GEMV = new ElfDescription("e", List.of(new LaunchDescription("q", GemvKernel.ID, "mv",
            new TreeMap<>(Map.of("m", 512, "k", 1024)), new TreeMap<>(), 8, 1, new TreeMap<>(Map.of("tile_m", 8, "m_input", 4)), new TreeMap<>())),
            List.of(), true, 16);

    @Test void a_trace_is_json_with_a_track_a_channel_and_the_launch_above_them() throws IOException {
        JsonNode events = JsonMapper.builder().build().readTree(new GZIPInputStream(new ByteArrayInputStream(traced())).readAllBytes())
                .path("traceEvents");
        List<String> tracks = new ArrayList<>();
        events.forEach(event -> {
            if (event.path("name").asString().equals("thread_name")) {
                tracks.add(event.path("args").path("name").asString());
            }
        });
        assertTrue(tracks.containsAll(List.of("launches", "shim matrix 03", "core 07.0", "control")), tracks.toString());
        boolean correlated = false;
        for (JsonNode event : events) {
            correlated |= event.path("args").path("of").asString("").equals("call 0/launch 0") && event.path("args").path("bytes").asLong(0) > 0;
        }
        assertTrue(correlated);
    }

    @Test void the_same_run_writes_the_same_bytes() throws IOException {
        assertArrayEquals(traced(), traced());
    }

    @Test void spans_end_no_later_than_the_run() {
        List<Span> spans = new ArrayList<>();
        long end = ElfReplay.replay(GEMV, Devices.load("npu2", List.of()), Packaging.ELF, 1000, "call 7", spans::add);
        assertEquals(end, spans.stream().mapToLong(Span::endPicoseconds).max().orElseThrow());
        assertTrue(spans.stream().allMatch(span -> span.startPicoseconds() >= 1000 && span.correlation().startsWith("call 7/")));
    }

    @Test void an_output_that_fails_is_told_by_its_own_exception() {
        IOException full = new IOException("full");
        assertSame(full, assertThrows(IOException.class, () -> ChromeTrace.write(new OutputStream() {
            @Override public void write(int b) throws IOException {
                throw full;
            }
        }, ChromeTraceTest::replay)));
    }

    private static void replay(Consumer<Span> spans) {
        ElfReplay.replay(GEMV, Devices.load("npu2", List.of()), Packaging.ELF, 0, "call 0", spans);
    }

    private static byte[] traced() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ChromeTrace.write(out, ChromeTraceTest::replay);
        return out.toByteArray();
    }
}
