package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Evidence;
import dev.npuflow.workflow.gate.SelfCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// A skill's evidence as sections of the phase document: what the skill says, and under it what was measured (docs/upstream.md, "Phase documents").
public final class EvidenceSections {

    private final Phase phase;
    private final Optional<ProfileSummary> timeBefore;
    private final Optional<ProfileSummary> timeAfter;
    private final String cosine;
    private final String errors;
    private final String verdict;

    /// @param timeBefore empty if not measured
    /// @param timeAfter  empty if not measured
    /// @param selfCheck  empty if it was not run
    /// @param verdict    the gate's, or why there is none
    public EvidenceSections(Phase phase, Optional<ProfileSummary> timeBefore, Optional<ProfileSummary> timeAfter, Optional<SelfCheck> selfCheck, String verdict) {
        this.phase = phase;
        this.timeBefore = timeBefore;
        this.timeAfter = timeAfter;
        this.cosine = MarkdownText.line(selfCheck.map(SelfCheck::cosineText).orElse("not run"));
        this.errors = MarkdownText.line(selfCheck.map(SelfCheck::differenceText).orElse("not run"));
        this.verdict = MarkdownText.line(verdict);
    }

    public List<SkillSection> of(List<Evidence> evidence) {
        return evidence.stream().map(this::section).toList();
    }

    private SkillSection section(Evidence evidence) {
        OptionalDouble was = milliseconds(timeBefore, evidence.stepsBefore());
        OptionalDouble is = milliseconds(timeAfter, evidence.stepsAfter());
        List<String> bullets = new ArrayList<>(evidence.facts().stream().map(MarkdownText::line).toList());
        bullets.add("Latency before: " + shown(was));
        bullets.add("Latency after: " + shown(is));
        bullets.add("Gain: " + (was.isPresent() && is.isPresent() && was.getAsDouble() > 0
                ? format(ROOT, "%.1f%%", 100 * (was.getAsDouble() - is.getAsDouble()) / was.getAsDouble()) : "not measured"));
        bullets.add("Cosine vs before: " + cosine);
        bullets.add("max_abs / max_rel: " + errors);
        bullets.add("Gate: " + verdict);
        return new SkillSection(MarkdownText.line(evidence.title()), bullets);
    }

    /// A pass over the model: of these steps, all layers; of all steps where none is named.
    private OptionalDouble milliseconds(Optional<ProfileSummary> time, List<String> names) {
        Stream<StepTotals> steps = time.stream().flatMap(summary -> summary.phase(phase).stream());
        List<StepTotals> found = steps.filter(step -> names.isEmpty() || names.contains(step.name())).toList();
        return found.isEmpty() ? OptionalDouble.empty()
                : OptionalDouble.of(new Picoseconds(found.stream().mapToLong(StepTotals::total).sum()).milliseconds() / time.orElseThrow().passes(phase));
    }

    private static String shown(OptionalDouble milliseconds) {
        return milliseconds.isPresent() ? format(ROOT, "%.4f ms", milliseconds.getAsDouble()) : "not measured";
    }
}
