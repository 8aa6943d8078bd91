package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.file.SmallText;
import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.TensorShapes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A model's `ARCHITECTURE.md`: what runs where in its baseline plan, step by step. npuflow's part stands between two comments; other lines are people's.
public record ArchitectureDocument(String model, ModelConfig config, Deployment baseline) {

    private static final String BEGIN = "<!-- npuflow: baseline plan -->";
    private static final String END = "<!-- npuflow: end of baseline plan -->";

    /// @return whether anything changed
    /// @throws dev.npuflow.fault.NpuflowException NPF-512 if the file cannot be read, NPF-510 if it cannot be written
    public boolean update(Path file) {
        String before = SmallText.find(file).orElse("");
        String after = updated(before);
        if (after.equals(before)) {
            return false;
        }
        WholeFile.replace(file, after);
        return true;
    }

    String updated(String text) {
        return OwnBlock.put(text.isEmpty() ? format(ROOT, "# Architecture, %s\n", MarkdownText.line(model)) : text, BEGIN, block(), END);
    }

    private String block() {
        return Templates.render("architecture.md.ftl", Map.of("facts", facts(), "padded", Integer.toString(baseline.model().paddedPrefill()),
                "prefill", StepRows.of(baseline, Phase.PREFILL), "decode", StepRows.of(baseline, Phase.DECODE)));
    }

    private List<List<String>> facts() {
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("architecture", format(ROOT, "%s, %d layers, hidden size %d", config.architecture().className(), config.layers(), config.hiddenSize())));
        facts.add(List.of("attention", format(ROOT, "%d query heads on %d key/value heads of %d%s", config.heads(), config.keyValueHeads(), config.headDim(),
                widened(config.heads(), baseline.model().heads()))));
        List<String> extras = new ArrayList<>();
        if (config.block().hasInputBias()) {
            extras.add(config.block().hasOutputBias() ? "a bias on Q, K, V and O" : "a bias on Q, K and V");
        }
        if (config.block().normsQueriesAndKeys()) {
            extras.add(config.block().normsHeads() ? "a norm of each head of Q and K" : "a norm of the whole of Q and of K");
        }
        if (!config.block().normsBeforeAttention()) {
            extras.add("norms behind attention and feed-forward");
        }
        if (!extras.isEmpty()) {
            facts.add(List.of("", String.join(", ", extras)));
        }
        facts.add(List.of("rotary embedding", format(ROOT, "theta %s, %d of a head's %d entries", config.rope().thetaText(), config.rope().rotaryDim(),
                config.headDim())));
        facts.add(List.of("feed-forward", format(ROOT, "SiLU-gated, %d wide%s", config.intermediateSize(), widened(config.intermediateSize(),
                baseline.model().intermediateSize()))));
        facts.add(List.of("LM head", format(ROOT, "%d ids, %s", config.vocabSize(), config.tiedHead() ? "tied to the embedding" : "of its own")));
        long parameters = TensorShapes.elements(config);
        facts.add(List.of("weights", format(ROOT, "%d parameters, %d bytes in bf16", parameters, 2 * parameters)));
        facts.add(List.of("KV cache", format(ROOT, "%d values a position", 2 * config.layers() * config.keyValueDim())));
        return facts;
    }

    private static String widened(int real, int padded) {
        return real == padded ? "" : format(ROOT, ", widened to %d on the NPU", padded);
    }
}
