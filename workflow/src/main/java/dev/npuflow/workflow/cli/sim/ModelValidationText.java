package dev.npuflow.workflow.cli.sim;

import dev.npuflow.npu.aie.measured.FamilyErrors;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import dev.npuflow.workflow.validation.ModelValidation;
import dev.npuflow.workflow.validation.ModelValidation.ModelRow;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Errors of deployments, for people and for programs.
final class ModelValidationText {

    private ModelValidationText() {}

    static void print(TextOutput out, DeviceDescription device, ModelValidation.Result result) {
        out.line("simulated on %s against measured deployments, upstream's plan".formatted(device.name()));
        out.line("");
        TextTable table = new TextTable(0, Column.left("row"), Column.left("model"), Column.left("of"), Column.right("measured ms"), Column.right("simulated ms"),
                Column.right("error"), Column.left("TTFT s, simulated"));
        for (ModelRow row : result.rows()) {
            String first = row.measuredFirstToken().isPresent()
                    ? format("%.2f, %.2f", row.measuredFirstToken().getAsDouble(), row.simulatedFirstToken().getAsDouble()) : "";
            table.row(row.rowId(), row.model(), row.group().isEmpty() ? "token" : row.group(), format("%.3f", row.measured()), format("%.3f", row.simulated()),
                    format("%+.1f%%", 100 * row.error()), first);
        }
        out.table(table);
        errors(out, result.families(), result.notScored().stream().map(row -> row.rowId() + ": " + row.why()).toList());
    }

    /// The errors of each family beside those of two simpler models, and the rows that have none.
    static void errors(TextOutput out, List<FamilyErrors> families, List<String> notScored) {
        out.line("");
        TextTable table = new TextTable(0, Column.left("family"), Column.right("rows"), Column.right("mean"), Column.right("median"), Column.right("worst"),
                Column.left("at"), Column.right("roofline"), Column.right("a+bytes/BW"));
        for (FamilyErrors family : families) {
            table.row(family.family(), Integer.toString(family.rows()), percent(family.mean()), percent(family.median()), percent(family.worst()),
                    family.worstRow(), percent(family.rooflineMean()), percent(family.affineMean()));
        }
        out.table(table);
        out.line("");
        notScored.forEach(row -> out.line("not scored: " + row));
    }

    private static String percent(double share) {
        return format("%.1f%%", 100 * share);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    static List<Map<String, Object>> rows(ModelValidation.Result result) {
        return result.rows().stream().map(ModelValidationText::row).toList();
    }

    private static Map<String, Object> row(ModelRow row) {
        Map<String, Object> fields = ValidateCommand.object("row_id", row.rowId(), "model", row.model(), "family", row.family(), "group", row.group(),
                "measured_ms", row.measured(), "simulated_ms", row.simulated(), "error", row.error());
        row.measuredFirstToken().ifPresent(measured -> fields.put("measured_ttft_s", measured));
        row.simulatedFirstToken().ifPresent(simulated -> fields.put("simulated_ttft_s", simulated));
        return fields;
    }

    static List<Map<String, Object>> families(ModelValidation.Result result) {
        return result.families().stream().map(family -> ValidateCommand.object("family", family.family(), "rows", family.rows(), "mean",
                family.mean(), "median",
                family.median(), "worst", family.worst(), "worst_row", family.worstRow(), "roofline_mean", family.rooflineMean(), "affine_mean",
                family.affineMean())).toList();
    }
}
