package dev.npuflow.npu.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.util.MinimalPrettyPrinter;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/// Writes spans as Chrome trace events (JSON, compressed), which Perfetto and chrome://tracing open. Spans go out as they come; nothing is kept but
/// the names of the tracks. The same spans give the same bytes.
public final class ChromeTrace {

    private static final ObjectWriter EVENTS = JsonMapper.shared().writer().with(new EventLines());

    private final JsonGenerator json;
    private final Map<String, Integer> processes = new LinkedHashMap<>();
    private final Map<String, Integer> tracks = new LinkedHashMap<>();

    /// What a trace shows: hands each span to the trace as it comes.
    @FunctionalInterface
    public interface Spans {
        void to(Consumer<Span> trace);
    }

    private ChromeTrace(JsonGenerator json) {
        this.json = json;
    }

    /// Writes the spans of one run and closes the output. Where the run fails, what was written is no whole trace.
    public static void write(OutputStream out, Spans spans) throws IOException {
        try (JsonGenerator json = EVENTS.createGenerator(new OutputStreamWriter(new PlainGzip(out), StandardCharsets.UTF_8))) {
            json.writeStartObject().writeStringProperty("displayTimeUnit", "ns").writeArrayPropertyStart("traceEvents");
            spans.to(new ChromeTrace(json)::add);
            json.writeEndArray().writeEndObject().writeRaw('\n');
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    /// The header that `GZIPOutputStream` writes holds no time, so that equal traces are equal files.
    private static final class PlainGzip extends GZIPOutputStream {
        PlainGzip(OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    private void add(Span span) {
        int process = processes.computeIfAbsent(span.process(), name -> named("process_name", processes.size() + 1, 0, name));
        int track = tracks.computeIfAbsent(span.process() + "\n" + span.track(), _ -> named("thread_name", process, tracks.size() + 1, span.track()));
        event("X", process, track);
        json.writeName("ts").writeNumber(microseconds(span.startPicoseconds()));
        json.writeName("dur").writeNumber(microseconds(span.endPicoseconds() - span.startPicoseconds()));
        json.writeStringProperty("name", span.name()).writeObjectPropertyStart("args");
        if (span.bytes() > 0) {
            json.writeNumberProperty("bytes", span.bytes());
        }
        if (!span.correlation().isEmpty()) {
            json.writeStringProperty("of", span.correlation());
        }
        json.writeEndObject().writeEndObject();
    }

    private int named(String what, int process, int track, String name) {
        event("M", process, track);
        json.writeStringProperty("name", what).writeObjectPropertyStart("args").writeStringProperty("name", name).writeEndObject().writeEndObject();
        return track == 0 ? process : track;
    }

    private void event(String kind, int process, int track) {
        json.writeStartObject().writeStringProperty("ph", kind).writeNumberProperty("pid", process).writeNumberProperty("tid", track);
    }

    /// A line an event.
    private static final class EventLines extends MinimalPrettyPrinter {

        private static final long serialVersionUID = 1L;

        @Override public void beforeArrayValues(JsonGenerator generator) {
            generator.writeRaw('\n');
        }

        @Override public void writeArrayValueSeparator(JsonGenerator generator) {
            generator.writeRaw(",\n");
        }

        @Override public void writeEndArray(JsonGenerator generator, int values) {
            generator.writeRaw("\n]");
        }
    }

    private static String microseconds(long picoseconds) {
        return String.format(Locale.ROOT, "%d.%06d", picoseconds / 1_000_000, picoseconds % 1_000_000);
    }
}
