package dev.npuflow.workflow.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What `phase3_full.md` tells: the verdict on each prompt, which alone decides.
///
/// @param notes remarks under the result, one paragraph each
public record FullModelDocument(String model, String status, List<String> notes, PhasePoint point) {

    public FullModelDocument {
        notes = List.copyOf(notes);
    }

    public PhaseMarker marker() {
        return new PhaseMarker(3, status, point.profile().millisecondsPerToken(), point.profile().millisecondsPerToken());
    }

    public String render() {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("model", MarkdownText.line(model));
        view.put("marker", marker().text());
        view.put("source", MarkdownText.line(point.profile().source()));
        view.put("status", status);
        view.put("notes", notes.stream().map(MarkdownText::line).toList());
        view.put("gate", PhaseDocument.gate("Baseline", point));
        view.put("plan", point.plan());
        return Templates.render("phase3_full.md.ftl", view);
    }
}
