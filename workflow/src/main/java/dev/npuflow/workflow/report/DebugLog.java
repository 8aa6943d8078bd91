package dev.npuflow.workflow.report;

import dev.npuflow.workflow.file.SmallText;
import dev.npuflow.workflow.file.WholeFile;
import java.nio.file.Path;
import java.util.List;

/// A model's `debug_log.md`: one section a reverted skill and wrong plan, and one a skill that crashed, named by the plan's hash where a diary would have a
/// date (the same run gives the same file). What stands between our two comments is ours and is written anew; every other line is kept.
public final class DebugLog {

    private static final int SHORT_HASH = 12;
    private static final String HEADING = "# Debug log\n";

    private DebugLog() {}

    /// Does nothing where nothing went wrong.
    ///
    /// @return whether it was written
    /// @throws dev.npuflow.fault.NpuflowException NPF-512 if the file cannot be read, NPF-510 if it cannot be written
    public static boolean update(Path file, List<DebugEntry> entries) {
        if (!entries.isEmpty()) {
            WholeFile.replace(file, updated(SmallText.find(file).orElse(HEADING), entries));
        }
        return !entries.isEmpty();
    }

    static String updated(String text, List<DebugEntry> entries) {
        String whole = text;
        for (DebugEntry entry : entries) {
            whole = OwnBlock.put(whole, begin(entry), section(entry), end(entry));
        }
        return whole;
    }

    private static String section(DebugEntry entry) {
        StringBuilder text = new StringBuilder("## %s, %s `%s`\n\n".formatted(MarkdownText.line(entry.skill()), switch (entry.kind()) {
            case REVERTED -> "plan";
            case CRASHED -> "crashed on plan";
        }, shortened(entry)));
        text.append("- Failing: ").append(MarkdownText.line(entry.failing())).append('\n');
        entry.found().forEach(line -> text.append("- ").append(MarkdownText.line(line)).append('\n'));
        return text.append("- Evidence: ").append(MarkdownText.line(entry.evidence())).append('\n').toString();
    }

    private static String begin(DebugEntry entry) {
        return switch (entry.kind()) {
            case REVERTED -> "<!-- npuflow: reverted %s -->".formatted(shortened(entry));
            case CRASHED -> "<!-- npuflow: crashed %s -->".formatted(crash(entry));
        };
    }

    private static String end(DebugEntry entry) {
        return "<!-- npuflow: end of %s -->".formatted(switch (entry.kind()) {
            case REVERTED -> shortened(entry);
            case CRASHED -> crash(entry);
        });
    }

    /// Several skills may crash on one plan.
    private static String crash(DebugEntry entry) {
        return "%s on %s".formatted(MarkdownText.line(entry.skill()), shortened(entry));
    }

    private static String shortened(DebugEntry entry) {
        return entry.plan().substring(0, Math.min(SHORT_HASH, entry.plan().length()));
    }
}
