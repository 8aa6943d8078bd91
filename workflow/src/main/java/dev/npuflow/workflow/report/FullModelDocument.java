package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What `phase3_full.md` tells: the verdict on each prompt, which alone decides.
///
/// @param layers of the canonical prompt's prefill, for information
/// @param notes remarks under the result, one paragraph each
public record FullModelDocument(String model, String status, List<String> notes, PhasePoint point, List<LayerFigures> layers) {

    public FullModelDocument {
        notes = List.copyOf(notes);
        layers = List.copyOf(layers);
    }

    public PhaseMarker marker() {
        return new PhaseMarker(3, status, point.profile().phaseMillisecondsPerToken(), point.profile().phaseMillisecondsPerToken());
    }

    /// What the plan costs; the gate decides.
    public String summary() {
        return format(ROOT, "%.4f ms/token", marker().finalMilliseconds());
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
        view.put("layers", layers.stream().map(layer -> List.of("" + layer.layer(), format(ROOT, "%.6f", layer.cosineP5()),
                format(ROOT, "%.6f", layer.cosineMin()), format(ROOT, "%.6f", layer.cosineMedian()), format(ROOT, "%.4g", layer.maxAbs()),
                format(ROOT, "%.4g", layer.maxRel()))).toList());
        return Templates.render("phase3_full.md.ftl", view);
    }
}
