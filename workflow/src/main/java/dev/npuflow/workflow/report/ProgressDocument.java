package dev.npuflow.workflow.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `progress.md`: where a model's phases stand.
public record ProgressDocument(String model, List<PhaseLine> phases) {

    private static final int SHORT_HASH = 12;

    public ProgressDocument {
        phases = List.copyOf(phases);
    }

    /// What a phase is that was not run.
    public static final String PENDING = "PENDING";

    /// @param status   of the last run, or [#PENDING]
    /// @param plan     hash of the plan that it left; empty for none
    /// @param document file name beside this one
    public record PhaseLine(int phase, String status, String plan, String document) {}

    /// @param before the file as it is; a phase that another workspace ran keeps its row, since its document is still there
    public String render(String before) {
        List<String> rows = phases.stream().map(line -> line.status().equals(PENDING) ? row(before, line.phase()).orElseGet(() -> row(line)) : row(line)).toList();
        return Templates.render("progress.md.ftl", Map.of("model", MarkdownText.line(model), "rows", rows));
    }

    private static String row(PhaseLine line) {
        String plan = line.plan().isEmpty() ? "—" : "`" + line.plan().substring(0, SHORT_HASH) + "`";
        String document = line.plan().isEmpty() ? "—" : "[%s](%s)".formatted(line.document(), line.document());
        return "| %d | %s | %s | %s |".formatted(line.phase(), line.status(), plan, document);
    }

    private static Optional<String> row(String text, int phase) {
        return text.lines().filter(line -> line.matches("\\| %d \\| [A-Z]+ \\| `[0-9a-f]{12}` \\| \\[[a-z0-9_.]+]\\([a-z0-9_.]+\\) \\|".formatted(phase))).findFirst();
    }
}
