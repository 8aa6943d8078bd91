package dev.npuflow.workflow.cli.sim;

import dev.npuflow.npu.aie.measured.FamilyErrors;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.validation.ModelValidation;
import dev.npuflow.workflow.validation.ModelValidation.ModelRow;
import dev.npuflow.workflow.validation.ModelValidation.NotScored;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Errors of deployments, for people and for programs.
final class ModelValidationText {

    private ModelValidationText() {}

    static void print(PrintWriter out, DeviceDescription device, ModelValidation.Result result) {
        out.printf(Locale.ROOT, "simulated on %s against measured deployments, upstream's plan%n%n", device.name());
        out.printf(Locale.ROOT, "%-26s %-16s %-18s %12s %12s %8s  %s%n", "row", "model", "of", "measured ms", "simulated ms", "error",
                "TTFT s, simulated");
        for (ModelRow row : result.rows()) {
            String first = row.measuredFirstToken().isPresent()
                    ? String.format(Locale.ROOT, "%.2f, %.2f", row.measuredFirstToken().getAsDouble(), row.simulatedFirstToken().getAsDouble()) : "";
            out.printf(Locale.ROOT, "%-26s %-16s %-18s %12.3f %12.3f %+7.1f%%  %s%n", row.rowId(), row.model(), row.group().isEmpty() ? "token"
                    : row.group(),
                    row.measured(), row.simulated(), 100 * row.error(), first);
        }
        out.printf(Locale.ROOT, "%n%-22s %5s %7s %7s %7s %-7s %9s %9s%n", "family", "rows", "mean", "median", "worst", "at", "roofline",
                "a+bytes/BW");
        for (FamilyErrors family : result.families()) {
            out.printf(Locale.ROOT, "%-22s %5d %6.1f%% %6.1f%% %6.1f%% %-7s %8.1f%% %8.1f%%%n", family.family(), family.rows(), 100 * family.mean(),
                    100 * family.median(), 100 * family.worst(), family.worstRow(), 100 * family.rooflineMean(), 100 * family.affineMean());
        }
        out.println();
        for (NotScored row : result.notScored()) {
            out.printf(Locale.ROOT, "%-8s not scored: %s%n", row.rowId(), row.why());
        }
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
