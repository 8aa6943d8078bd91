package dev.npuflow.workflow.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `phase_timing.md`: how long the phases took a person to wait. The one document with wall-clock times, so it is not committed.
public record TimingDocument(String model, List<TimingLine> phases) {

    public TimingDocument {
        phases = List.copyOf(phases);
    }

    /// @param simulatedSeconds of all measured passes, as the device would have taken
    /// @param notes            such as how many skills were tried
    public record TimingLine(int phase, String begun, String ended, long wallSeconds, double simulatedSeconds, String notes) {}

    public String render() {
        List<List<String>> rows = phases.stream().map(line -> List.of("" + line.phase(), line.begun(), line.ended(),
                String.format(Locale.ROOT, "%.2f", line.wallSeconds() / 60.0), String.format(Locale.ROOT, "%.3f", line.simulatedSeconds()),
                MarkdownText.cell(line.notes()))).toList();
        return Templates.render("phase_timing.md.ftl", Map.of("model", MarkdownText.line(model), "rows", rows));
    }
}
