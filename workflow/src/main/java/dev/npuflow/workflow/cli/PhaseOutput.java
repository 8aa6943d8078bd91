package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.SkillRecord;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What `phase5` prints.
final class PhaseOutput {

    private PhaseOutput() {}

    /// @param document path of the written document; empty where none was written
    static void print(PrintWriter out, PhaseResult result, String document, OpenedDeployment opened, boolean json) {
        if (json) {
            JsonOutput.print(out, tree(result, document, opened));
        } else {
            table(out, result, document, opened);
        }
    }

    private static Map<String, Object> tree(PhaseResult result, String document, OpenedDeployment opened) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("phase", 5);
        root.put("model", opened.model().name());
        root.put("status", result.status());
        root.put("reason", result.reason());
        root.put("source", opened.target().source());
        root.put("baseline", figures(result.baseline().planHash(), result.baseline().millisecondsPerToken()));
        root.put("final", figures(result.last().planHash(), result.last().millisecondsPerToken()));
        root.put("speedup", result.speedUp());
        root.put("gate", result.gate());
        root.put("skills", result.skills().stream().map(PhaseOutput::tree).toList());
        root.put("document", document);
        return root;
    }

    private static Map<String, Object> figures(String plan, double milliseconds) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("plan", plan);
        figures.put("ms_per_token", milliseconds);
        figures.put("tokens_per_s", 1000 / milliseconds);
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
        tree.put("reverted_to", skill.revertedTo().orElse(null));
        return tree;
    }

    private static void table(PrintWriter out, PhaseResult result, String document, OpenedDeployment opened) {
        out.println("Phase 5 (decode) of %s: %s".formatted(opened.model().name(), opened.target().source()));
        out.println();
        out.printf(Locale.ROOT, "  %-32s %-9s %10s %10s %9s  %s%n", "skill", "outcome", "ms before", "ms after", "delta", "reason");
        List<SkillRecord> skills = result.skills();
        for (SkillRecord skill : skills) {
            String after = skill.after().isPresent() ? format(skill.after().getAsDouble()) : "—";
            String delta = skill.after().isPresent() ? String.format(Locale.ROOT, "%+.3f", skill.after().getAsDouble() - skill.before()) : "—";
            out.printf(Locale.ROOT, "  %-32s %-9s %10s %10s %9s  %s%n", skill.skill(), skill.outcome().name().toLowerCase(Locale.ROOT), format(skill.before()),
                    after, delta, skill.reason());
            skill.revertedTo().ifPresent(proof -> out.printf(Locale.ROOT, "  %-32s plan %s again, %s ms/token%n", "", proof.plan().substring(0, 12),
                    format(proof.millisecondsPerToken())));
        }
        out.println();
        out.printf(Locale.ROOT, "  baseline %s ms/token → final %s ms/token: %.2f× (%.1f tokens/s)%n", format(result.baseline().millisecondsPerToken()),
                format(result.last().millisecondsPerToken()), result.speedUp(), result.last().tokensPerSecond());
        out.println("  gate: %s, %s".formatted(result.gate().verdict(), result.gate().reason()));
        out.println("  plan %s".formatted(result.last().planHash()));
        if (!document.isEmpty()) {
            out.println("  document: " + document);
        }
        out.println("Phase 5: %s (%s)".formatted(result.status(), result.reason()));
    }

    private static String format(double milliseconds) {
        return String.format(Locale.ROOT, "%.3f", milliseconds);
    }
}
