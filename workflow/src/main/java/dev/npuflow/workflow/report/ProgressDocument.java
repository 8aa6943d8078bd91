package dev.npuflow.workflow.report;

import java.util.List;
import java.util.Map;

/// `progress.md`: where a model's phases stand.
public record ProgressDocument(String model, List<PhaseLine> phases) {

    private static final int SHORT_HASH = 12;

    public ProgressDocument {
        phases = List.copyOf(phases);
    }

    /// @param status   of the last run, or PENDING
    /// @param plan     hash of the plan that it left; empty for none
    /// @param document file name beside this one
    public record PhaseLine(int phase, String status, String plan, String document) {}

    public String render() {
        List<List<String>> rows = phases.stream().map(line -> List.of("" + line.phase(), line.status(),
                line.plan().isEmpty() ? "—" : "`" + line.plan().substring(0, SHORT_HASH) + "`",
                line.plan().isEmpty() ? "—" : "[%s](%s)".formatted(line.document(), line.document()))).toList();
        return Templates.render("progress.md.ftl", Map.of("model", MarkdownText.line(model), "rows", rows));
    }
}
