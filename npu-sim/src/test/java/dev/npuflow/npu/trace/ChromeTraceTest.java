package dev.npuflow.npu.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.NpuException;
import dev.npuflow.npu.clock.ElfReplay;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.Devices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ChromeTraceTest {

    @TempDir Path folder;

    private static final ElfDescription GEMV = new ElfDescription("e", List.of(new LaunchDescription("q", GemvKernel.ID, "mv",
            new TreeMap<>(Map.of("m", 512, "k", 1024)), new TreeMap<>(), 8, 1, new TreeMap<>(Map.of("tile_m", 8, "m_input", 4)), new TreeMap<>())),
            List.of(), true, 16);

    @Test void a_trace_is_json_with_a_track_a_channel_and_the_launch_above_them() throws IOException {
        JsonNode events = JsonMapper.builder().build().readTree(new GZIPInputStream(Files.newInputStream(traced("a.json.gz"))).readAllBytes())
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
        assertArrayEquals(Files.readAllBytes(traced("a.json.gz")), Files.readAllBytes(traced("b.json.gz")));
    }

    @Test void spans_end_no_later_than_the_run() {
        List<Span> spans = new ArrayList<>();
        long end = ElfReplay.replay(GEMV, Devices.load("npu2", List.of()), Packaging.ELF, 1000, "call 7", spans::add);
        assertEquals(end, spans.stream().mapToLong(Span::endPicoseconds).max().orElseThrow());
        assertTrue(spans.stream().allMatch(span -> span.startPicoseconds() >= 1000 && span.correlation().startsWith("call 7/")));
    }

    @Test void a_path_that_cannot_be_written_is_told_in_one_line() {
        assertEquals("NPF-342", assertThrows(NpuException.class, () -> new ChromeTrace(folder.resolve("no/such/dir.gz"))).id());
    }

    private Path traced(String name) {
        Path file = folder.resolve(name);
        try (ChromeTrace trace = new ChromeTrace(file)) {
            ElfReplay.replay(GEMV, Devices.load("npu2", List.of()), Packaging.ELF, 0, "call 0", trace::add);
        }
        return file;
    }
}
