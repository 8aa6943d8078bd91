package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.cli.PhaseRunner.Finished;
import dev.npuflow.workflow.fault.ExitCode;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.PhaseState;
import dev.npuflow.workflow.phase.SkillRecord;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What `phase5` prints.
final class PhaseOutput {

    private PhaseOutput() {}

    static void print(PrintWriter out, GatedPhase phase, Finished finished, OpenedDeployment opened, boolean json) {
        if (json) {
            JsonOutput.print(out, tree(phase, finished, opened));
        } else {
            table(out, phase, finished, opened);
        }
    }

    static ExitCode exitCode(PhaseResult result) {
        return switch (result.status()) {
            case PASS -> ExitCode.PASSED;
            case FAIL -> ExitCode.GATE_FAILED;
            case ERROR -> ExitCode.ENVIRONMENT;
        };
    }

    static Map<String, Object> tree(GatedPhase phase, Finished finished, OpenedDeployment opened) {
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
        return tree;
    }

    private static void table(PrintWriter out, GatedPhase phase, Finished finished, OpenedDeployment opened) {
        PhaseResult result = finished.result();
        String name = switch (phase) {
            case FULL_MODEL -> "full model";
            case PREFILL -> "prefill";
            case DECODE -> "decode";
        };
        out.println("Phase %d (%s) of %s: %s".formatted(phase.number(), name, opened.model().name(), opened.target().source()));
        out.println();
        if (phase != GatedPhase.FULL_MODEL) {
            skills(out, result);
        }
        out.println("  gate: %s, %s".formatted(result.gate().verdict(), result.gate().reason()));
        out.println("  plan %s".formatted(result.last().deployment().hash()));
        finished.document().ifPresent(document -> {
            out.println("  document: " + document.path());
            document.remark().ifPresent(remark -> out.println("  " + remark));
        });
        out.println("Phase %d: %s (%s)".formatted(phase.number(), result.status(), result.reason()));
    }

    private static void skills(PrintWriter out, PhaseResult result) {
        out.printf(Locale.ROOT, "  %-32s %-9s %10s %10s %9s  %s%n", "skill", "outcome", "ms before", "ms after", "delta", "reason");
        List<SkillRecord> skills = result.skills();
        for (SkillRecord skill : skills) {
            String after = skill.after().isPresent() ? format(skill.after().getAsDouble()) : "—";
            String delta = skill.after().isPresent() ? String.format(Locale.ROOT, "%+.3f", skill.after().getAsDouble() - skill.before()) : "—";
            out.printf(Locale.ROOT, "  %-32s %-9s %10s %10s %9s  %s%n", skill.skill(), skill.outcome().name().toLowerCase(Locale.ROOT), format(skill.before()),
                    after, delta, skill.reason());
            skill.revertedTo().ifPresent(proof -> out.printf(Locale.ROOT, "  %-32s plan %s again, %s ms%n", "", proof.plan().substring(0, 12),
                    format(proof.milliseconds())));
        }
        out.println();
        out.printf(Locale.ROOT, "  baseline %s → final %s %s: %.2f×%n", format(result.baseline().milliseconds()), format(result.last().milliseconds()),
                result.figure(), result.speedUp());
        PhaseDescription.of(result.phase()).beside().ifPresent(beside -> out.printf(Locale.ROOT, "  %s: %.2f×%n", beside.text(result.baseline(), result.last()),
                beside.of(result.baseline()) / beside.of(result.last())));
    }

    private static String format(double milliseconds) {
        return String.format(Locale.ROOT, "%.3f", milliseconds);
    }
}
