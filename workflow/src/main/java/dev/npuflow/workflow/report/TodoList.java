package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.file.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The phase's line in a model's `TODO.md`. Ticks or clears its box and keeps one line of ours under it; every other character stays:
///
///     - [x] Phase 5: Decode Opt (Ann looks at it)      ← the box is ours, the rest hers
///       - npuflow: 12.3456 → 4.5678 ms/token (2.70×), PASS
public final class TodoList {

    private static final long LARGEST = 1 << 20;
    private static final Pattern OURS = Pattern.compile("^\\s*- npuflow: .*");

    private TodoList() {}

    /// Does nothing where the model has no such file.
    ///
    /// @throws NpuflowException NPF-512 if the file cannot be read, NPF-510 if it cannot be written
    public static void update(Path file, PhaseMarker marker) {
        if (Files.isRegularFile(file)) {
            WholeFile.replace(file, updated(read(file), marker));
        }
    }

    static String updated(String text, PhaseMarker marker) {
        String lineBreak = text.contains("\r\n") ? "\r\n" : "\n";
        List<String> lines = new ArrayList<>(List.of(text.split("\r?\n", -1)));
        Pattern phase = Pattern.compile("^(\\s*[-*] \\[)[ xX](\\] Phase " + marker.phase() + "\\b.*)$");
        String box = marker.status().equals("PASS") ? "x" : " ";
        String line = format(ROOT, "  - npuflow: %s, %s", marker.summary(), marker.status());
        for (int i = 0; i < lines.size(); i++) {
            Matcher found = phase.matcher(lines.get(i));
            if (found.matches()) {
                lines.set(i, found.group(1) + box + found.group(2));
                if (i + 1 < lines.size() && OURS.matcher(lines.get(i + 1)).matches()) {
                    lines.set(i + 1, line);
                } else {
                    lines.add(i + 1, line);
                }
                return String.join(lineBreak, lines);
            }
        }
        int end = lines.getLast().isEmpty() ? lines.size() - 1 : lines.size();
        lines.addAll(end, List.of(format(ROOT, "- [%s] Phase %d", box, marker.phase()), line));
        return String.join(lineBreak, lines);
    }

    /// A small text file whole.
    static String read(Path file) {
        try {
            if (Files.size(file) <= LARGEST) {
                return Files.readString(file);
            }
        } catch (IOException e) {
            throw unreadable(file, e.getClass().getSimpleName());
        }
        throw unreadable(file, "larger than 1 MiB");
    }

    private static NpuflowException unreadable(Path file, String how) {
        return NpuflowException.badInput("NPF-512", "%s (%s)".formatted(file, how), "a text file in UTF-8 of at most 1 MiB",
                "to mend it or move it away");
    }
}
