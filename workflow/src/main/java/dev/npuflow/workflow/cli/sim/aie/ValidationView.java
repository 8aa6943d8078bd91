package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.npu.aie.measured.FamilyErrors;
import dev.npuflow.npu.aie.measured.KernelValidation;
import dev.npuflow.npu.aie.measured.KernelValidation.RowResult;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.View;
import dev.npuflow.workflow.cli.sim.MeasuredFiles;
import dev.npuflow.workflow.cli.sim.aie.ModelValidation.ModelRow;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// What `sim validate` shows of kernels and deployments: each row, and the errors of each family beside those of two simpler models.
final class ValidationView {

    private ValidationView() {}

    static View of(DeviceDescription device, MeasuredFiles files, KernelValidation.Result kernels, ModelValidation.Result deployments) {
        return new View(text -> {
            if (files.kernels().isPresent()) {
                print(text, device, kernels);
            }
            if (!files.models().isEmpty()) {
                print(text, device, deployments);
            }
        }, () -> json(device, kernels, deployments));
    }

    private static void print(TextOutput out, DeviceDescription device, KernelValidation.Result result) {
        out.line("simulated on %s against measured kernels".formatted(device.name()));
        out.line("");
        TextTable table = new TextTable(0, Column.left("row"), Column.left("kernel"), Column.right("measured us"), Column.right("simulated us"), Column.right("error"),
                Column.left("bound by"));
        for (RowResult row : result.rows()) {
            table.row(row.rowId(), row.family(), format("%.1f", row.measured()), format("%.1f", row.simulated()), format("%+.1f%%", 100 * row.error()), row.boundBy());
        }
        out.table(table);
        errors(out, result.families(), result.notScored().stream().map(row -> row.rowId() + ": " + row.why()).toList());
    }

    private static void print(TextOutput out, DeviceDescription device, ModelValidation.Result result) {
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

    private static void errors(TextOutput out, List<FamilyErrors> families, List<String> notScored) {
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

    private static Map<String, Object> json(DeviceDescription device, KernelValidation.Result kernels, ModelValidation.Result deployments) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("device", device.name());
        root.put("rows", kernels.rows().stream().map(row -> object("row_id", row.rowId(), "kernel", row.kernel(), "family", row.family(), "measured_us", row.measured(),
                "simulated_us", row.simulated(), "error", row.error(), "bound", row.boundBy())).toList());
        root.put("models", deployments.rows().stream().map(ValidationView::json).toList());
        root.put("families", Stream.concat(kernels.families().stream(), deployments.families().stream()).map(family -> object("family", family.family(), "rows",
                family.rows(), "mean", family.mean(), "median", family.median(), "worst", family.worst(), "worst_row", family.worstRow(), "roofline_mean",
                family.rooflineMean(), "affine_mean", family.affineMean())).toList());
        root.put("not_scored", Stream.concat(kernels.notScored().stream().map(row -> object("row_id", row.rowId(), "why", row.why())),
                deployments.notScored().stream().map(row -> object("row_id", row.rowId(), "why", row.why()))).toList());
        return root;
    }

    private static Map<String, Object> json(ModelRow row) {
        Map<String, Object> fields = object("row_id", row.rowId(), "model", row.model(), "family", row.family(), "group", row.group(), "measured_ms", row.measured(),
                "simulated_ms", row.simulated(), "error", row.error());
        row.measuredFirstToken().ifPresent(measured -> fields.put("measured_ttft_s", measured));
        row.simulatedFirstToken().ifPresent(simulated -> fields.put("simulated_ttft_s", simulated));
        return fields;
    }

    private static Map<String, Object> object(Object... pairs) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            object.put((String) pairs[at], pairs[at + 1]);
        }
        return object;
    }
}
