package dev.npuflow.workflow.lens;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.report.MarkdownText;
import dev.npuflow.workflow.report.VerifySubject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A diagnosis in upstream's form (docs/upstream.md, "Verify report"), with decode steps, findings, plan and source as keys of our own behind it.
public final class DiagnosisReport {

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);
    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final String PAIR = "npu_vs_hf";

    private DiagnosisReport() {}

    public record Files(Path json, Path markdown) {}

    /// As `diagnosis_20260801-101500.json` and `.md`; a name that is taken gets a number. The names are the only place where a wall clock shows.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-510 if they cannot be written
    public static Files write(Path directory, VerifySubject subject, Diagnosis diagnosis, Clock clock) {
        String stamp = "diagnosis_" + STAMP.format(LocalDateTime.now(clock));
        Path json = WholeFile.writeNew(directory, stamp, ".json", MAPPER.writeValueAsString(json(subject, diagnosis)) + "\n");
        String name = json.getFileName().toString().replace(".json", "");
        return new Files(json, WholeFile.writeNew(directory, name, ".md", markdown(subject, diagnosis)));
    }

    public static ObjectNode json(VerifySubject subject, Diagnosis diagnosis) {
        ObjectNode json = MAPPER.createObjectNode();
        json.putObject("config").put("mode", "diagnosis").put("runner", subject.runner()).put("model", subject.model())
                .put("model_name", subject.modelName()).put("npu_attn", subject.npuAttention()).put("prompt", diagnosis.prompt())
                .putNull("prompts_file").putNull("max_prompts");
        json.putArray("prompts").add(diagnosis.prompt());
        json.set("per_layer", layers(diagnosis.steps().getFirst()));
        json.putNull("topk_checks");
        json.putObject("summary").put("n_layer_records", diagnosis.steps().getFirst().layers().size()).put("topk_passed", 0).put("topk_failed", 0);
        ArrayNode decode = json.putArray("decode");
        for (Diagnosis.Step step : decodeSteps(diagnosis)) {
            decode.addObject().put("step", step.step()).put("position", step.position()).set("per_layer", layers(step));
        }
        ArrayNode findings = json.putArray("findings");
        diagnosis.findings().forEach(finding -> findings.addObject().put("step", finding.step()).put("layer", finding.layer())
                .put("text", finding.text()));
        return json.put("plan", diagnosis.plan()).put("source", subject.source());
    }

    private static ArrayNode layers(Diagnosis.Step step) {
        ArrayNode records = MAPPER.createArrayNode();
        for (Diagnosis.Layer layer : step.layers()) {
            ObjectNode node = records.addObject().put("name", "ffn_out").put("pair", PAIR).put("layer", layer.layer());
            RowComparison.Cosine cosine = layer.figures().cosine();
            node.putObject("cosine").put("min", cosine.min()).put("p5", cosine.p5()).put("median", cosine.median()).put("mean", cosine.mean());
            RowComparison.Errors errors = layer.figures().errors();
            node.putObject("errors").put("max_abs", errors.maxAbs()).put("mean_abs", errors.meanAbs()).put("max_rel", errors.maxRel())
                    .put("mean_rel", errors.meanRel());
        }
        return records;
    }

    static String markdown(VerifySubject subject, Diagnosis diagnosis) {
        StringBuilder text = new StringBuilder("# Verify report\n\n");
        text.append(format(ROOT, "Config: mode=diagnosis, runner=%s, model=%s, plan=%s\n\n", subject.runner(), subject.model(), diagnosis.plan()));
        text.append(format(ROOT, "Figures: %s\n\nResult: **PASS** (a diagnosis informs, it does not judge)\n\n", MarkdownText.line(subject.source())));
        text.append("## Prefill, ffn_out, npu_vs_hf\n\n").append(table(diagnosis.steps().getFirst()));
        for (Diagnosis.Step step : decodeSteps(diagnosis)) {
            text.append(format(ROOT, "\n## Decode step %d (position %d), ffn_out, npu_vs_hf\n\n", step.step(), step.position())).append(table(step));
        }
        text.append("\n## Findings\n\n");
        List<Diagnosis.Finding> findings = diagnosis.findings();
        findings.forEach(finding -> text.append("- ").append(finding.text()).append('\n'));
        return text.append(findings.isEmpty() ? "No cliff.\n" : "").toString();
    }

    /// Upstream's columns; the last row is the hidden state after the final norm.
    static String table(Diagnosis.Step step) {
        StringBuilder text = new StringBuilder("| Layer | cos_p5 | cos_min | cos_median | max_abs |\n"
                + "|------:|-------:|--------:|-----------:|--------:|\n");
        for (Diagnosis.Layer layer : step.layers()) {
            RowComparison.Cosine cosine = layer.figures().cosine();
            text.append(format(ROOT, "| %d | %.6f | %.6f | %.6f | %.4g |\n", layer.layer(), cosine.p5(), cosine.min(), cosine.median(),
                    layer.figures().errors().maxAbs()));
        }
        return text.toString();
    }

    private static List<Diagnosis.Step> decodeSteps(Diagnosis diagnosis) {
        return diagnosis.steps().subList(1, diagnosis.steps().size());
    }
}
