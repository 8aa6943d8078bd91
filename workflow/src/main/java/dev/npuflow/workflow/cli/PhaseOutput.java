package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.workflow.cli.PhaseRunner.Finished;
import dev.npuflow.workflow.decision.DecisionFigures;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.PhaseState;
import dev.npuflow.workflow.phase.SkillRecord;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What `phase5` prints.
final class PhaseOutput {

    private PhaseOutput() {}

    static View view(GatedPhase phase, Finished finished, OpenedDeployment opened) {
        return new View(text -> table(text, phase, finished, opened), () -> tree(phase, finished, opened));
    }

    static ExitCode exitCode(PhaseResult result) {
        return switch (result.status()) {
            case PASS -> ExitCode.PASSED;
            case FAIL -> ExitCode.GATE_FAILED;
            case ERROR -> ExitCode.ENVIRONMENT;
        };
    }

    private static Map<String, Object> tree(GatedPhase phase, Finished finished, OpenedDeployment opened) {
        PhaseResult result = finished.result();
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("phase", phase.number());
        root.put("model", opened.model().name());
        root.put("status", result.status());
        root.put("reason", result.reason());
        root.put("source", opened.target().source());
        root.put("figure", result.figure());
        root.put("baseline", figures(result.baseline()));
        root.put("final", figures(result.last()));
        root.put("speedup", result.speedUp());
        result.comparison().ifPresent(figures -> root.put("comparison", tree(figures)));
        root.put("gate", result.gate());
        root.put("skills", result.skills().stream().map(PhaseOutput::tree).toList());
        root.put("document", finished.document().map(WrittenDocument::path).orElse(""));
        root.put("experiment", finished.document().map(WrittenDocument::experiment).orElse(List.of()));
        return root;
    }

    private static Map<String, Object> figures(PhaseState state) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("plan", state.deployment().hash());
        figures.put("ms", state.milliseconds());
        figures.put("ms_per_token", state.profile().millisecondsPerToken());
        figures.put("tokens_per_s", state.profile().tokensPerSecond());
        figures.put("prefill_kernel_ms", state.profile().prefillKernelMilliseconds());
        figures.put("ttft_s", state.profile().secondsToFirstToken());
        return figures;
    }

    private static Map<String, Object> tree(SkillRecord skill) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", skill.skill());
        tree.put("outcome", skill.outcome().name().toLowerCase(Locale.ROOT));
        tree.put("reason_code", skill.code().name().toLowerCase(Locale.ROOT));
        tree.put("reason", skill.reason());
        tree.put("ms_before", skill.before());
        tree.put("ms_after", skill.after().isPresent() ? skill.after().getAsDouble() : null);
        tree.put("delta_ms", skill.after().isPresent() ? skill.after().getAsDouble() - skill.before() : null);
        tree.put("calls_before", skill.callsBefore());
        tree.put("calls_after", skill.callsAfter());
        tree.put("plan_before", skill.planBefore());
        tree.put("plan_after", skill.planAfter().orElse(null));
        tree.put("self_check", skill.selfCheck().map(check -> check.passed() ? "pass" : check.failure().orElse("fail")).orElse(null));
        tree.put("verdict", skill.verdict().map(Enum::name).orElse(null));
        tree.put("blockers", skill.blockers());
        tree.put("warnings", skill.warnings());
        tree.put("trace", skill.trace());
        tree.put("reverted_to", skill.revertedTo().orElse(null));
        skill.comparison().ifPresent(figures -> tree.put("comparison", tree(figures)));
        return tree;
    }

    /// Of a target that varies; the two times say all of one that repeats exactly.
    private static Map<String, Object> tree(DecisionFigures figures) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("pairs", figures.pairs());
        tree.put("mean_difference", figures.mean());
        tree.put("interval", List.of(figures.lower(), figures.upper()));
        tree.put("noise", figures.noise());
        tree.put("noise_runs", figures.noiseRuns());
        tree.put("min_gain", figures.minimumGain());
        tree.put("samples_ms", figures.samples().stream().map(pair -> List.of(pair.before(), pair.after())).toList());
        return tree;
    }

    private static void table(TextOutput out, GatedPhase phase, Finished finished, OpenedDeployment opened) {
        PhaseResult result = finished.result();
        String name = switch (phase) {
            case FULL_MODEL -> "full model";
            case PREFILL -> "prefill";
            case DECODE -> "decode";
        };
        out.line("Phase %d (%s) of %s: %s".formatted(phase.number(), name, opened.model().name(), opened.target().source()));
        out.line("");
        if (phase != GatedPhase.FULL_MODEL) {
            skills(out, result);
        }
        out.line("  gate: %s, %s".formatted(result.gate().verdict(), result.gate().reason()));
        out.line("  plan %s".formatted(ShortHash.of(result.last().deployment().hash())));
        finished.document().ifPresent(document -> {
            out.line("  document: " + document.path());
            document.remark().ifPresent(remark -> out.line("  " + remark));
        });
        out.line("Phase %d: %s (%s)".formatted(phase.number(), result.status(), result.reason()));
    }

    private static void skills(TextOutput out, PhaseResult result) {
        TextTable table = new TextTable(2, Column.left("skill"), Column.left("outcome"), Column.right("ms before"), Column.right("ms after"),
                Column.right("delta"), Column.left("reason"));
        for (SkillRecord skill : result.skills()) {
            String after = skill.after().isPresent() ? format(skill.after().getAsDouble()) : "—";
            String delta = skill.after().isPresent() ? String.format(Locale.ROOT, "%+.3f", skill.after().getAsDouble() - skill.before()) : "—";
            table.row(skill.skill(), skill.outcome().name().toLowerCase(Locale.ROOT), format(skill.before()), after, delta, reason(skill));
            skill.revertedTo().ifPresent(proof -> table.note("plan %s again, %s ms".formatted(ShortHash.of(proof.plan()), format(proof.milliseconds()))));
        }
        out.table(table);
        out.line("");
        out.line(String.format(Locale.ROOT, "  baseline %s → final %s %s: %.2f×", format(result.baseline().milliseconds()), format(result.last().milliseconds()),
                result.figure(), result.speedUp()));
        PhaseDescription.of(result.phase()).beside().ifPresent(beside -> out.line(String.format(Locale.ROOT, "  %s: %.2f×",
                beside.text(result.baseline(), result.last()), beside.of(result.baseline()) / beside.of(result.last()))));
    }

    /// Of a skill that was kept the columns before have said the times.
    private static String reason(SkillRecord skill) {
        return switch (skill.outcome()) {
            case APPLIED -> skill.after().isPresent() ? String.format(Locale.ROOT, "%.1f %% less", 100 * (1 - skill.after().getAsDouble() / skill.before()))
                    : skill.reason();
            case SKIPPED, REVERTED -> skill.reason();
        };
    }

    private static String format(double milliseconds) {
        return String.format(Locale.ROOT, "%.3f", milliseconds);
    }
}
