package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.gate.DistributionCheck;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.text.ShortHash;
import java.util.List;
import java.util.stream.Stream;

/// The lines of `make verify` that others look for (docs/upstream.md, "Verify output").
public final class VerifyLines {

    private VerifyLines() {}

    /// @param reference where the reference's tokens come from
    public static List<String> begin(VerifySubject subject, GateRules rules, String reference) {
        return List.of(
                format(ROOT, "[verify] adapter=%s, model=%s, hf_ref=%s, mode=verify, lite=True", subject.runner(), subject.model(), reference),
                format(ROOT, "[verify] plan=%s (%s)", ShortHash.of(subject.plan()), subject.source()),
                format(ROOT, "[verify] top-k token gate: %d prompts × %d tokens, k=%d (from %s)", subject.prompts().size(), rules.tokens(),
                        rules.k(), subject.promptsFile().orElse("the command line")));
    }

    /// @param index of the prompt, from 0
    public static String prompt(VerifySubject subject, int index) {
        return format(ROOT, "[verify] prompt %d/%d: NPU greedy decode...", index + 1, subject.prompts().size());
    }

    /// To standard output.
    public static List<String> end(GateResult result, VerifyReport.Files files) {
        List<String> lines = List.of(
                "",
                "[verify] Report: " + files.markdown(),
                "[verify] JSON:   " + files.json(),
                format(ROOT, "[verify] Summary: {'n_layer_records': 0, 'topk_passed': %d, 'topk_failed': %d}", result.upstreamPassed(),
                        result.prompts().size() - result.upstreamPassed()),
                format(ROOT, "[verify] Every step: %d of %d prompts passed; %s", result.everyStepPassed(), result.prompts().size(), result.reason()),
                "[verify] Distribution: " + result.distribution().map(DistributionCheck::text).orElse(DistributionCheck.NOT_JUDGED));
        return result.passed() ? Stream.concat(lines.stream(), Stream.of("[verify] PASS")).toList() : lines;
    }

    /// To standard error, of anything but a pass.
    public static String failure(GateResult result) {
        return switch (result.verdict()) {
            case PASS, GATE_FAIL -> "[verify] FAIL — see report for details.";
            case INFRA_ERROR, VACUOUS, LOCK_TIMEOUT -> format(ROOT, "[verify] %s — %s", result.verdict(), result.reason());
        };
    }
}
