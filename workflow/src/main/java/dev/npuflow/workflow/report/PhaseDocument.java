package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// What `phase5_decode.md` tells, complete: nothing else goes into it, no clock and no path, so that equal runs write equal documents.
///
/// @param status   `PASS`, `FAIL` or `ERROR`
/// @param notes    remarks under the result, one paragraph each; weights that are synthetic are named here
/// @param baseline the plan that the skills started from
/// @param result   the plan that was kept last
public record PhaseDocument(Phase phase, String model, String status, List<String> notes, PhasePoint baseline, PhasePoint result,
        List<SkillReport> skills) {

    private static final int SHORT_HASH = 12;

    public PhaseDocument {
        notes = List.copyOf(notes);
        skills = List.copyOf(skills);
    }

    /// The document's text.
    public String render() {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("title", switch (phase) {
            case PREFILL -> "Phase 4: prefill optimization";
            case DECODE -> "Phase 5: decode optimization";
        });
        view.put("model", MarkdownText.line(model));
        view.put("marker", marker().text());
        view.put("source", MarkdownText.line(result.profile().source()));
        view.put("status", status);
        view.put("figure", switch (phase) {
            case PREFILL -> "wall time of a prefill, which decides what is kept";
            case DECODE -> "time a token, which decides what is kept";
        });
        view.put("summary", summary());
        view.put("picture", switch (phase) {
            case PREFILL -> GatedPhase.PREFILL.picture();
            case DECODE -> GatedPhase.DECODE.picture();
        });
        view.put("notes", notes.stream().map(MarkdownText::line).toList());
        view.put("skills", skills.stream().map(PhaseDocument::row).toList());
        view.put("sections", skills.stream().flatMap(skill -> sections(skill).stream()).toList());
        view.put("figures", figures());
        view.put("gates", List.of(gate("Baseline", baseline), gate("Final", result)));
        view.put("spent", SpentTime.rows(phase, baseline.profile(), result.profile()));
        view.put("evidence", evidence());
        return Templates.render("phase_document.md.ftl", view);
    }

    public PhaseMarker marker() {
        return new PhaseMarker(phase == Phase.PREFILL ? 4 : 5, status, milliseconds(baseline), milliseconds(result));
    }

    /// What the phase came to, the figure that decides first.
    public String summary() {
        PhaseMarker marker = marker();
        String figures = format(ROOT, "%s → %s", number(marker.baselineMilliseconds()), number(marker.finalMilliseconds()));
        return switch (phase) {
            case PREFILL -> format(ROOT, "%s ms of prefill (%.2f×), its kernels %s → %s ms (%.2f×)", figures, marker.speedup(), number(kernels(baseline)),
                    number(kernels(result)), kernels(baseline) / kernels(result));
            case DECODE -> format(ROOT, "%s ms/token (%.2f×)", figures, marker.speedup());
        };
    }

    private double milliseconds(PhasePoint point) {
        return switch (phase) {
            case PREFILL -> point.profile().prefillTime().milliseconds();
            case DECODE -> point.profile().phaseMillisecondsPerToken();
        };
    }

    private static double kernels(PhasePoint point) {
        return point.profile().prefillKernelMilliseconds();
    }

    private static List<String> row(SkillReport skill) {
        String delta = skill.msBefore().isPresent() && skill.msAfter().isPresent()
                ? format(ROOT, "%+.4f", skill.msAfter().getAsDouble() - skill.msBefore().getAsDouble()) : "—";
        return List.of(MarkdownText.cell(skill.name()), skill.outcome().word(), number(skill.msBefore()), number(skill.msAfter()), delta,
                MarkdownText.cell(skill.reason()));
    }

    private static List<SkillSection> sections(SkillReport skill) {
        if (skill.outcome() == Outcome.APPLIED && !skill.sections().isEmpty()) {
            return skill.sections();
        }
        String title = MarkdownText.line(skill.name()) + ", " + skill.outcome().word();
        List<SkillSection> all = new ArrayList<>();
        all.add(new SkillSection(title, List.of("Reason: " + MarkdownText.line(skill.reason()))));
        skill.sections().forEach(section -> all.add(new SkillSection(section.title() + ", " + skill.outcome().word(), section.bullets())));
        return all;
    }

    /// The figure that decides first.
    private List<List<String>> figures() {
        List<List<String>> decode = List.of(
                List.of("ms/token", number(baseline.profile().millisecondsPerToken()), number(result.profile().millisecondsPerToken())),
                List.of("tokens/s", rate(baseline.profile().tokensPerSecond()), rate(result.profile().tokensPerSecond())));
        List<List<String>> prefill = List.of(
                List.of("prefill, ms", number(baseline.profile().prefillTime().milliseconds()),
                        number(result.profile().prefillTime().milliseconds())),
                List.of("its kernels, ms", number(kernels(baseline)), number(kernels(result))),
                List.of("TTFT, s", format(ROOT, "%.6f", baseline.profile().secondsToFirstToken()), format(ROOT, "%.6f", result.profile().secondsToFirstToken())));
        List<List<String>> rows = new ArrayList<>(phase == Phase.PREFILL ? prefill : decode);
        rows.addAll(phase == Phase.PREFILL ? decode : prefill);
        rows.addAll(List.of(
                List.of("XRT calls a pass", calls(baseline), calls(result)),
                List.of("prompt tokens, padded to", prompt(baseline), prompt(result)),
                List.of("decoded tokens", "" + baseline.profile().decodeTokens(), "" + result.profile().decodeTokens()),
                List.of("device", MarkdownText.cell(baseline.profile().device()), MarkdownText.cell(result.profile().device())),
                List.of("plan", "`" + shortened(baseline.plan()) + "`", "`" + shortened(result.plan()) + "`")));
        return List.copyOf(rows);
    }

    private String calls(PhasePoint point) {
        long calls = point.profile().phase(phase).stream().filter(step -> step.kind() == Kind.NPU).mapToLong(StepTotals::count).sum();
        return format(ROOT, "%.0f", (double) calls / point.profile().passes(phase));
    }

    private static String prompt(PhasePoint point) {
        return point.profile().promptTokens() + ", " + point.profile().paddedPrompt();
    }

    static Map<String, Object> gate(String name, PhasePoint point) {
        GateSummary gate = point.gate();
        return Map.of("title", format(ROOT, "%s plan: %s", name, gate.verdict()), "reason", MarkdownText.line(gate.reason() + point.longer().map(longer -> format(ROOT, ". Longer check: %s, %s", longer.verdict(), longer.reason()))
                .orElse("")),
                "rows", gate.prompts().stream().map(prompt -> List.of("" + prompt.prompt(), "" + prompt.steps(), prompt.upstream() ? "OK" : "FAIL",
                        MarkdownText.cell(prompt.upstreamText()), prompt.everyStep() ? "OK" : "FAIL",
                        MarkdownText.cell(prompt.everyStepText()))).toList());
    }

    private List<String> evidence() {
        List<String> lines = new ArrayList<>();
        lines.add(format(ROOT, "baseline: plan `%s`", baseline.plan()));
        for (SkillReport skill : skills) {
            lines.add(format(ROOT, "%s, %s: plan `%s` → `%s`", MarkdownText.line(skill.name()), skill.outcome().word(), skill.planBefore(),
                    skill.planAfter()));
            skill.evidence().forEach(line -> lines.add("  " + MarkdownText.line(line)));
        }
        lines.add(format(ROOT, "final: plan `%s`", result.plan()));
        return lines;
    }

    private static String shortened(String hash) {
        return hash.substring(0, Math.min(SHORT_HASH, hash.length()));
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "—";
    }

    private static String rate(OptionalDouble value) {
        return value.isPresent() ? format(ROOT, "%.2f", value.getAsDouble()) : "—";
    }

    private static String number(double value) {
        return format(ROOT, "%.4f", value);
    }
}
