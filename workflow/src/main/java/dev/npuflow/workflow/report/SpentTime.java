package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The table that says where each millisecond of a pass went, before and after.
final class SpentTime {

    private record Row(Optional<StepTotals> before, Optional<StepTotals> after) {

        StepTotals either() {
            return before.or(() -> after).orElseThrow();
        }
    }

    private SpentTime() {}

    /// Cells: step, who, calls and ms before, calls and ms after. First what was there before, in the order of the data flow, then what is new.
    static List<List<String>> rows(Phase phase, ProfileSummary before, ProfileSummary after) {
        Map<String, Row> rows = new LinkedHashMap<>();
        before.phase(phase).forEach(step -> rows.put(key(step), new Row(Optional.of(step), Optional.empty())));
        after.phase(phase).forEach(step -> rows.merge(key(step), new Row(Optional.empty(), Optional.of(step)),
                (old, made) -> new Row(old.before(), made.after())));
        return rows.values().stream().map(row -> List.of(
                MarkdownText.cell(row.either().name()), row.either().kind() == Kind.NPU ? "NPU" : "CPU",
                calls(row.before(), before.passes(phase)), milliseconds(row.before(), before.passes(phase)),
                calls(row.after(), after.passes(phase)), milliseconds(row.after(), after.passes(phase)))).toList();
    }

    private static String key(StepTotals step) {
        return step.section() + " " + step.kind() + " " + step.name();
    }

    private static String calls(Optional<StepTotals> step, int passes) {
        return step.map(totals -> totals.count() % passes == 0 ? "" + totals.count() / passes
                : format(ROOT, "%.2f", (double) totals.count() / passes)).orElse("—");
    }

    private static String milliseconds(Optional<StepTotals> step, int passes) {
        return step.map(totals -> format(ROOT, "%.4f", new Picoseconds(totals.total()).milliseconds() / passes)).orElse("—");
    }
}
