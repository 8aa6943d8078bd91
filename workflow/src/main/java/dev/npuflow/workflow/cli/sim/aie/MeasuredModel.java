package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.npu.calibration.Table;
import dev.npuflow.npu.calibration.Table.Row;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.estimate.TextLength;
import dev.npuflow.workflow.lowering.aie.UpstreamForm;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a row measured on silicon of a model that mlir-air deployed, in milliseconds; or why it says nothing to compare with.
///
/// Three schemas are told apart by their columns: whole deployments (`models.csv`), launch groups inside one (`model_breakdown.csv`), and nightly
/// runs (`models_nightly_krackan.csv`).
sealed interface MeasuredModel {

    /// @param group      a call of the plan in that phase; empty for the whole decode token
    /// @param firstToken seconds to the first token, where stated
    record Timed(String rowId, Row row, String model, Optional<String> group, Phase phase, double milliseconds, Optional<Double> firstToken,
            TextLength text,
            UpstreamForm form) implements MeasuredModel {}

    record Untimed(String rowId, String why) implements MeasuredModel {}

    List<String> DEPLOYMENT_COLUMNS = List.of("row_id", "model", "deployment", "layers", "emb", "head_dim", "hidden", "n_heads", "n_kv_heads",
            "vocab",
            "tied_lm_head", "attention_delta", "prefill_ttft_s", "decode_ms_per_token", "machine");
    List<String> GROUP_COLUMNS = List.of("row_id", "model", "deployment", "phase", "group", "launches", "per_call_ms");
    List<String> NIGHTLY_COLUMNS = List.of("model", "window", "decode_tok_s_median", "machine");

    /// Tokens of the runs: short answers on Strix, 128 tokens in the nightly runs on Krackan.
    TextLength NIGHTLY = new TextLength(TextLength.SHORT.promptTokens(), 128);

    /// @throws dev.npuflow.fault.NpuflowException NPF-310 to NPF-313 for a file that is not of one of the three schemas
    static List<MeasuredModel> read(Path file) {
        List<Row> rows = Table.read(file, List.of("model")).rows();
        if (rows.isEmpty()) {
            Table.read(file, DEPLOYMENT_COLUMNS);
            return List.of();
        }
        var columns = rows.getFirst().fields().keySet();
        if (columns.contains("group")) {
            return Table.read(file, GROUP_COLUMNS).rows().stream().map(MeasuredModel::group).toList();
        }
        if (columns.contains("decode_tok_s_median")) {
            return Table.read(file, NIGHTLY_COLUMNS).rows().stream().map(MeasuredModel::nightly).toList();
        }
        return Table.read(file, DEPLOYMENT_COLUMNS).rows().stream().map(MeasuredModel::deployment).toList();
    }

    private static MeasuredModel deployment(Row row) {
        double milliseconds = row.number("decode_ms_per_token").orElse(0);
        if (milliseconds == 0) {
            return new Untimed(row.text("row_id"), "no decode time");
        }
        boolean krackan = row.text("machine").toLowerCase(Locale.ROOT).contains("krackan");
        double first = row.number("prefill_ttft_s").orElse(0);
        return new Timed(row.text("row_id"), row, row.text("model"), Optional.empty(), Phase.DECODE, milliseconds,
                first > 0 ? Optional.of(first) : Optional.empty(), krackan ? NIGHTLY : TextLength.SHORT, form(row));
    }

    private static MeasuredModel nightly(Row row) {
        String id = row.text("model") + " " + row.text("window");
        double rate = row.number("decode_tok_s_median").orElse(0);
        double first = row.number("ttft_ms_median").orElse(0);
        return rate == 0 ? new Untimed(id, "no decode speed") : new Timed(id, row, row.text("model"), Optional.empty(), Phase.DECODE, 1000 / rate,
                first > 0 ? Optional.of(first / 1000) : Optional.empty(), NIGHTLY, UpstreamForm.CURRENT);
    }

    private static MeasuredModel group(Row row) {
        String id = row.text("row_id");
        double milliseconds = row.number("per_call_ms").orElse(0);
        if (row.whole("launches") == 0 || milliseconds == 0) {
            return new Untimed(id, "no launch group with a time per call");
        }
        return switch (row.text("phase")) {
            case "prefill" -> group(row, Phase.PREFILL, milliseconds);
            case "decode" -> group(row, Phase.DECODE, milliseconds);
            default -> new Untimed(id, "phase %s is neither prefill nor decode".formatted(row.text("phase")));
        };
    }

    private static Timed group(Row row, Phase phase, double milliseconds) {
        return new Timed(row.text("row_id"), row, row.text("model"), Optional.of(row.text("group")), phase, milliseconds, Optional.empty(),
                TextLength.SHORT, form(row));
    }

    /// Builds before mlir-air PR 1687 and PR 1631 say so in the column.
    private static UpstreamForm form(Row row) {
        String deployment = row.text("deployment");
        return new UpstreamForm(deployment.contains("direct GEMMs") || deployment.contains("direct bf16"), deployment.contains("8-launch"));
    }
}
