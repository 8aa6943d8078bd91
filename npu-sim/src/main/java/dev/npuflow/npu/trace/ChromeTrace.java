package dev.npuflow.npu.trace;

import dev.npuflow.npu.NpuException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Writes spans as Chrome trace events (JSON, compressed), which Perfetto and chrome://tracing open. Spans go out as they come; nothing is kept but
/// the names of the tracks. The same spans give the same bytes.
public final class ChromeTrace implements AutoCloseable {

    private final Path file;
    private final Writer writer;
    private final Map<String, Integer> processes = new LinkedHashMap<>();
    private final Map<String, Integer> tracks = new LinkedHashMap<>();
    private boolean first = true;

    /// @throws NpuException NPF-342 when the file cannot be written
    public ChromeTrace(Path file) {
        this.file = file;
        try {
            OutputStream out = Files.newOutputStream(file);
            writer = new BufferedWriter(new OutputStreamWriter(new PlainGzip(out), StandardCharsets.UTF_8), 1 << 16);
            writer.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /// The header that `GZIPOutputStream` writes holds no time, so that equal traces are equal files.
    private static final class PlainGzip extends GZIPOutputStream {
        PlainGzip(OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    public void add(Span span) {
        int process = processes.computeIfAbsent(span.process(), name -> named("process_name", processes.size() + 1, 0, name));
        int track = tracks.computeIfAbsent(span.process() + "\n" + span.track(), _ -> named("thread_name", process, tracks.size() + 1, span.track()));
        String bytes = span.bytes() > 0 ? "\"bytes\":" + span.bytes() + (span.correlation().isEmpty() ? "" : ",") : "";
        String correlation = span.correlation().isEmpty() ? "" : "\"of\":" + quoted(span.correlation());
        write("{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%s,\"dur\":%s,\"name\":%s,\"args\":{%s%s}}".formatted(process, track,
                microseconds(span.startPicoseconds()), microseconds(span.endPicoseconds() - span.startPicoseconds()), quoted(span.name()), bytes,
                correlation));
    }

    private int named(String what, int process, int track, String name) {
        write("{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":%s}}".formatted(process, track, what, quoted(name)));
        return track == 0 ? process : track;
    }

    private void write(String event) {
        try {
            writer.write(first ? event : ",\n" + event);
            first = false;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override public void close() {
        try {
            writer.write("\n]}\n");
            writer.close();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private static String microseconds(long picoseconds) {
        return String.format(Locale.ROOT, "%d.%06d", picoseconds / 1_000_000, picoseconds % 1_000_000);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private NpuException unwritable(IOException e) {
        return new NpuException("NPF-342", "trace " + file + " cannot be written (" + e.getMessage() + ")", "a path in a writable directory",
                "--trace out.json.gz");
    }
}
