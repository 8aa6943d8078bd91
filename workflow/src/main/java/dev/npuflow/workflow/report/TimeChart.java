package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// The picture of an optimization phase, an SVG: a bar for the baseline and for each plan that was kept, split into what the time was spent on.
///
///     baseline          ████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░  296.80
///     + merge           ██████▒▒▒▒▒▒▒▒▒▒▒▒▒▒░      254.29
public record TimeChart(Phase phase, String model, List<Bar> bars) {

    private static final int BAR_WIDTH = 440;
    private static final int ROW_HEIGHT = 28;
    private static final int HEAD = 64;

    /// @param label   `baseline`, or the skill that made the plan
    /// @param profile of the plan
    public record Bar(String label, ProfileSummary profile) {}

    public TimeChart {
        bars = List.copyOf(bars);
    }

    private record Part(String name, String colour, ToLongFunction<StepTotals> picoseconds) {}

    private static final List<Part> PARTS = List.of(
            new Part("write to BOs", "#d9822b", step -> step.kind() == Kind.NPU ? step.write() : 0),
            new Part("run on the NPU", "#2f6db3", step -> step.kind() == Kind.NPU ? step.run() : 0),
            new Part("read from BOs", "#8fbce6", step -> step.kind() == Kind.NPU ? step.read() : 0),
            new Part("host", "#6b7280", step -> step.kind() == Kind.NPU ? 0 : step.total()));

    /// The SVG's text.
    public String render() {
        double widest = bars.stream().mapToDouble(bar -> milliseconds(bar, StepTotals::total)).filter(time -> time > 0).max().orElse(1);
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("title", format(ROOT, "%s of %s, %s", switch (phase) {
            case PREFILL -> "Phase 4";
            case DECODE -> "Phase 5";
        }, model, switch (phase) {
            case PREFILL -> "ms of prefill";
            case DECODE -> "ms/token";
        }));
        view.put("height", HEAD + ROW_HEIGHT * bars.size() + 12);
        view.put("legend", PARTS.stream().map(part -> Map.of("name", part.name, "colour", part.colour)).toList());
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Bar bar : bars) {
            rows.add(Map.of("label", bar.label, "y", HEAD + ROW_HEIGHT * rows.size(), "parts", parts(bar, BAR_WIDTH / widest),
                    "total", format(ROOT, "%.2f", milliseconds(bar, StepTotals::total)), "end", pixels(milliseconds(bar, StepTotals::total) * BAR_WIDTH / widest)));
        }
        view.put("rows", rows);
        return Templates.render("time_chart.svg.ftl", view);
    }

    private List<Map<String, Object>> parts(Bar bar, double pixelsAMillisecond) {
        List<Map<String, Object>> parts = new ArrayList<>();
        double x = 0;
        for (Part part : PARTS) {
            double milliseconds = milliseconds(bar, part.picoseconds);
            double width = milliseconds * pixelsAMillisecond;
            parts.add(Map.of("x", pixels(x), "width", pixels(width), "colour", part.colour, "tip", format(ROOT, "%s: %.4f ms", part.name, milliseconds)));
            x += width;
        }
        return parts;
    }

    /// Of one pass over the model.
    private double milliseconds(Bar bar, ToLongFunction<StepTotals> picoseconds) {
        return new Picoseconds(bar.profile.phase(phase).stream().mapToLong(picoseconds).sum()).milliseconds() / bar.profile.passes(phase);
    }

    private static String pixels(double value) {
        return format(ROOT, "%.2f", value);
    }
}
