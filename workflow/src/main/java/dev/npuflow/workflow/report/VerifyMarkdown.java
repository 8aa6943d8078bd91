package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.gate.DistributionCheck;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.PromptCheck;
import dev.npuflow.workflow.gate.StepCheck;
import dev.npuflow.workflow.gate.Verdict;
import java.util.Optional;
import java.util.OptionalInt;

/// The verify report as markdown: upstream's (docs/upstream.md, "Verify report"), then a table each of the every-step rule and of the rule of the distribution.
public final class VerifyMarkdown {

    private final StringBuilder out = new StringBuilder();
    private final VerifySubject subject;
    private final GateResult result;
    private final TokenText text;

    private VerifyMarkdown(VerifySubject subject, GateResult result) {
        this.subject = subject;
        this.result = result;
        this.text = new TokenText(subject);
    }

    public static String render(VerifySubject subject, GateResult result) {
        VerifyMarkdown markdown = new VerifyMarkdown(subject, result);
        markdown.head();
        if (!subject.prompts().isEmpty()) {
            markdown.prompts();
        }
        if (!result.prompts().isEmpty()) {
            markdown.upstreamRule();
            markdown.everyStep();
            markdown.distribution();
        }
        return markdown.out.toString();
    }

    private void head() {
        String config = format(ROOT, "mode=verify, runner=%s, model=%s, model_name=%s, npu_attn=%s, prompt=None, prompts_file=%s, max_prompts=%s",
                subject.runner(), subject.model(), subject.modelName(), subject.npuAttention() ? "True" : "False",
                subject.promptsFile().orElse("None"), subject.maxPrompts().isPresent() ? "" + subject.maxPrompts().getAsInt() : "None");
        long passed = result.upstreamPassed();
        long everyStep = result.everyStepPassed();
        int all = result.prompts().size();
        out.append("# Verify report\n\n");
        paragraph("Config: " + MarkdownText.line(config));
        paragraph(format(ROOT, "Result: **%s**", result.verdict() == Verdict.GATE_FAIL ? "FAIL" : result.verdict().name()));
        paragraph(format(ROOT, "Top-k token gate: %d PASS / %d FAIL (across %d prompt-pair checks)", passed, all - passed, all));
        paragraph(format(ROOT, "Every-step gate: %d PASS / %d FAIL (across %d prompt-pair checks)", everyStep, all - everyStep, all));
        paragraph("Distribution: " + distributionLine());
        paragraph("Reason: " + MarkdownText.line(result.reason()));
        paragraph("Plan: " + subject.plan());
        paragraph("Figures: " + MarkdownText.line(subject.source()));
    }

    private void prompts() {
        out.append("## Prompts\n\n| # | Prompt |\n|--:|--------|\n");
        for (int i = 0; i < subject.prompts().size(); i++) {
            out.append(format(ROOT, "| %d | %s |\n", i, MarkdownText.cell(text.prompt(i))));
        }
        out.append('\n');
    }

    private void upstreamRule() {
        int all = result.prompts().size();
        long passed = result.upstreamPassed();
        out.append(format(ROOT, "## Top-k token inclusion — npu_vs_hf (k=%d, %d/%d PASS)\n\n", result.rules().k(), passed, all));
        out.append("| # | Prompt | Steps | Diverge step | NPU choice (rank in HF) | HF choice (rank in NPU) | Status |\n"
                + "|--:|--------|------:|-------------:|---------|---------|:-------|\n");
        result.prompts().forEach(check -> out.append(format(ROOT, "| %d | %s | %d | %s | %s |\n", check.index(),
                MarkdownText.cell(text.prompt(check.index())), check.steps(),
                check.firstDivergence().map(step -> format(ROOT, "%d | %s | %s", step.step(), choice(step.testChosen(), step.testRank()),
                        choice(step.referenceChosen(), step.referenceRank()))).orElse("— | (all match) | (all match)"),
                check.upstreamPassed() ? "OK" : "FAIL")));
        out.append('\n');
        result.prompts().forEach(this::remark);
        if (passed < all) {
            paragraph(format(ROOT, "_%d/%d prompts failed top-%d inclusion at first divergence._", all - passed, all, result.rules().k()));
        }
    }

    private void remark(PromptCheck check) {
        Optional<StepCheck> at = check.firstDivergence().filter(step -> step.step() > 0);
        if (!check.upstreamPassed()) {
            paragraph(format(ROOT, "*Prompt %d FAIL:* %s", check.index(), MarkdownText.line(check.upstreamReason().orElse(""))));
        } else if (at.isPresent()) {
            paragraph(format(ROOT, "*Prompt %d agreed prefix (steps 0-%d):* %s", check.index(), at.get().step() - 1,
                    MarkdownText.line(text.agreedPrefix(check, at.get()))));
        }
    }

    private void everyStep() {
        out.append(format(ROOT, "## Every step, NPU fed the reference's tokens — npu_vs_hf (k=%d, %d/%d PASS)\n\n", result.rules().k(),
                result.everyStepPassed(), result.prompts().size()));
        out.append("| # | Steps | Different steps | Failed steps | First failed step | Smallest margin | Status |\n"
                + "|--:|------:|----------------:|-------------:|------------------:|----------------:|:-------|\n");
        result.prompts().forEach(check -> out.append(format(ROOT, "| %d | %d | %d | %d | %s | %s | %s |\n", check.index(), check.steps(),
                check.divergences().size(), check.failedSteps(), check.firstFailure().map(step -> "" + step.step()).orElse("—"),
                check.minimumMargin().isPresent() ? format(ROOT, "%.4f", check.minimumMargin().getAsDouble()) : "—",
                check.everyStepPassed() ? "OK" : "FAIL")));
        out.append('\n');
        result.prompts().stream().filter(check -> !check.everyStepPassed()).forEach(check ->
                paragraph(format(ROOT, "*Prompt %d FAIL:* %s", check.index(), MarkdownText.line(check.everyStepReason().orElse("")))));
    }

    private String distributionLine() {
        return result.distribution().map(check -> "%s, %s".formatted(check.passed() ? "PASS" : "FAIL", check.text())).orElse(DistributionCheck.NOT_JUDGED);
    }

    private void distribution() {
        out.append("## Distribution over the next token, against the unrounded model\n\n");
        paragraph(distributionLine() + ".");
        if (result.distribution().isPresent()) {
            out.append("| # | Mean KL | Noise (mean KL of the reference) | Ratio | Largest KL | Largest of the reference |\n"
                    + "|--:|--------:|--------------------------------:|------:|-----------:|-------------------------:|\n");
            result.prompts().forEach(check -> check.distribution().ifPresent(at -> out.append(format(ROOT, "| %d | %.3e | %.3e | %s | %.3e | %.3e |\n",
                    check.index(), at.mean(), at.noise(), Double.isFinite(at.ratio()) ? format(ROOT, "%.2f", at.ratio()) : "—", at.largest(),
                    at.largestNoise()))));
            out.append('\n');
        }
    }

    private String choice(int id, OptionalInt rank) {
        return format(ROOT, "%s (%s)", MarkdownText.cell(text.quoted(id)), rank.isPresent() ? "#" + rank.getAsInt() : "✗");
    }

    private void paragraph(String line) {
        out.append(line).append("\n\n");
    }
}
