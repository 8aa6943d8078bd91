package dev.npuflow.workflow.generation;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.file.InputJson;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.file.SyntaxReason;
import dev.npuflow.workflow.file.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Recorded traces in upstream's hand-off form (docs/upstream.md, "Gate file"): `{"0":{"chosen":[…],"topk":[[…],…]},"1":…}`, one entry a prompt, keys
/// counting from 0. How many prompts and steps a comparison needs is for the gate to say.
public final class GateFile {

    /// 8 prompts of 32 steps take 10 kB; this holds thousands.
    private static final long MOST_BYTES = 16L << 20;
    private static final String REMEDY = "recording it again";

    private GateFile() {}

    /// @throws NpuflowException NPF-170 if the file cannot be read, NPF-171 if it is too large, NPF-172 if it is not JSON, NPF-173 if it has another form
    public static List<TokenTrace> read(Path file) {
        JsonNode root = parse(file, text(file));
        if (!root.isObject() || root.isEmpty()) {
            throw malformed(file, "top level", "an object with entries \"0\", \"1\", …");
        }
        List<TokenTrace> traces = new ArrayList<>();
        for (int i = 0; i < root.size(); i++) {
            String prompt = Integer.toString(i);
            if (!root.path(prompt).isObject()) {
                throw malformed(file, "entry \"" + prompt + "\"", format(ROOT, "an object under each of \"0\" … \"%d\"", root.size() - 1));
            }
            traces.add(trace(file, "\"" + prompt + "\"", root.get(prompt)));
        }
        return List.copyOf(traces);
    }

    /// Old or new, never half: writes a temporary file beside it and renames it.
    ///
    /// @throws NpuflowException NPF-174 if it cannot be written
    public static void write(Path file, List<TokenTrace> traces) {
        Map<String, Map<String, Object>> entries = new LinkedHashMap<>();
        for (int i = 0; i < traces.size(); i++) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("chosen", traces.get(i).chosen());
            entry.put("topk", traces.get(i).topK());
            entries.put(Integer.toString(i), entry);
        }
        try {
            WholeFile.write(file, JsonMapper.shared().writeValueAsString(entries) + "\n");
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-174", "gate file %s".formatted(file), FileReason.of(e), "a place to write it", "another --gate-file");
        }
    }

    private static String text(Path file) {
        // A pipe is not opened: reading it would wait for a writer.
        RegularFile.find(file);
        try {
            long size = Files.size(file);
            if (size > MOST_BYTES) {
                throw NpuflowException.badInput("NPF-171", format(ROOT, "gate file %s", file), format(ROOT, "%d bytes", size),
                        format(ROOT, "at most %d bytes", MOST_BYTES), "the file that a verify run wrote");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw NpuflowException.badInput("NPF-170", "gate file %s".formatted(file), FileReason.of(e),
                    "a readable UTF-8 file", "the path that a verify run wrote");
        }
    }

    private static JsonNode parse(Path file, String text) {
        try {
            return InputJson.read(text);
        } catch (JacksonException e) {
            throw NpuflowException.badInput("NPF-172", "gate file %s".formatted(file), SyntaxReason.of(e),
                    "JSON", REMEDY);
        }
    }

    private static TokenTrace trace(Path file, String place, JsonNode entry) {
        List<Integer> chosen = ids(file, place + ".chosen", entry.path("chosen"));
        JsonNode rows = entry.path("topk");
        if (!rows.isArray() || rows.size() != chosen.size()) {
            throw malformed(file, place + ".topk", format(ROOT, "an array of %d rows, one a chosen id", chosen.size()));
        }
        List<List<Integer>> topK = new ArrayList<>();
        for (int step = 0; step < rows.size(); step++) {
            List<Integer> row = ids(file, format(ROOT, "%s.topk[%d]", place, step), rows.get(step));
            if (!row.getFirst().equals(chosen.get(step))) {
                throw malformed(file, format(ROOT, "%s.topk[%d]", place, step), format(ROOT, "the chosen id %d first", chosen.get(step)));
            }
            topK.add(row);
        }
        return new TokenTrace(chosen, topK);
    }

    private static List<Integer> ids(Path file, String place, JsonNode array) {
        if (!array.isArray() || array.isEmpty()) {
            throw malformed(file, place, "an array of token ids, not empty");
        }
        List<Integer> ids = new ArrayList<>();
        for (JsonNode id : array) {
            if (!id.isInt() || id.intValue() < 0) {
                throw malformed(file, format(ROOT, "%s[%d]", place, ids.size()), "a token id, 0 or above");
            }
            ids.add(id.intValue());
        }
        return ids;
    }

    private static NpuflowException malformed(Path file, String place, String expected) {
        return NpuflowException.badInput("NPF-173", "gate file %s at %s".formatted(file, place), expected, REMEDY);
    }
}
