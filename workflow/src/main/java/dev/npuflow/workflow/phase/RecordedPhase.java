package dev.npuflow.workflow.phase;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.ledger.AttemptRecord;
import dev.npuflow.workflow.ledger.AttemptState;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Measurement;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.report.DebugEntry;
import dev.npuflow.workflow.report.EvidenceSections;
import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.LayerFigures;
import dev.npuflow.workflow.report.PhaseDocument;
import dev.npuflow.workflow.report.PhasePoint;
import dev.npuflow.workflow.report.ProfileSummary;
import dev.npuflow.workflow.report.SkillReport;
import dev.npuflow.workflow.report.SkillSection;
import dev.npuflow.workflow.report.TimeChart;
import dev.npuflow.workflow.report.TimeChart.Bar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// A phase as the ledger holds it: the only source of its document.
public final class RecordedPhase {

    /// Reason code of the event that holds a Phase 3's layers.
    static final String DIAGNOSED = "diagnosed";

    private final Ledger ledger;
    private final RunId run;
    private final List<AttemptRecord> attempts;

    public RecordedPhase(Ledger ledger, RunId run) {
        this.ledger = ledger;
        this.run = run;
        this.attempts = ledger.attempts(run);
    }

    /// Whether the run got as far as its first plan; one that was interrupted at once has none.
    public boolean hasPlan() {
        return attempts.stream().findFirst().stream().anyMatch(first -> !first.events().isEmpty());
    }

    /// Hash of the plan that the run started from.
    ///
    /// @throws NpuflowException NPF-602 if it has none
    public String startPlan() {
        return attempts.stream().findFirst().flatMap(first -> first.events().stream().findFirst())
                .map(event -> ledger.read(event.details(), String.class)).orElseThrow(() -> ledger.lacks("the plan that the run started from"));
    }

    /// The same, or empty where the run ended before it had a plan.
    public Optional<String> begun() {
        return attempts.isEmpty() || attempts.getFirst().events().isEmpty() ? Optional.empty() : Optional.of(startPlan());
    }

    /// Hash of the plan that holds after the run's last settled attempt.
    public String lastPlan() {
        return attempts.stream().filter(AttemptRecord::settled).reduce((_, later) -> later).flatMap(last -> last.events().getLast().planAfter())
                .orElseGet(this::startPlan);
    }

    /// @param phase which half of the plan was optimized
    /// @param notes paragraphs under the result
    public PhaseDocument document(Phase phase, String status, List<String> notes) {
        List<SkillReport> skills = attempts.stream().skip(1).filter(AttemptRecord::settled)
                .map(attempt -> report(phase, ledger.read(attempt.events().getLast().details(), SkillRecord.class))).toList();
        return new PhaseDocument(phase, ledger.plan(startPlan()).model().name(), status, notes, point(startPlan()), point(lastPlan()), skills);
    }

    /// The baseline and each plan that was kept, as bars.
    public TimeChart chart(Phase phase) {
        Stream<Bar> kept = attempts.stream().skip(1).filter(attempt -> attempt.state().equals(Optional.of(AttemptState.KEPT)))
                .flatMap(attempt -> attempt.events().getLast().planAfter().flatMap(this::profile).map(profile -> new Bar("+ " + attempt.skill(), profile)).stream());
        Stream<Bar> start = profile(startPlan()).map(profile -> new Bar("baseline", profile)).stream();
        return new TimeChart(phase, ledger.plan(startPlan()).model().name(), Stream.concat(start, kept).toList());
    }

    /// Skills that were tried to an end.
    public long settledSkills() {
        return attempts.stream().skip(1).filter(AttemptRecord::settled).count();
    }

    /// Seconds that the device would have taken for all passes that were measured.
    public double measuredSeconds() {
        return Stream.concat(hasPlan() ? Stream.of(startPlan()) : Stream.of(), attempts.stream().skip(1).flatMap(attempt -> attempt.events().stream())
                        .filter(event -> event.state() == AttemptState.APPLIED && event.reasonCode().equals("applied"))
                        .map(event -> ledger.read(event.details(), String.class))).distinct()
                .flatMap(plan -> ledger.measurements(run, plan).stream()).map(measured -> profile(ledger, measured))
                .mapToDouble(profile -> profile.prefillTime().plus(profile.decodeTime()).seconds()).sum();
    }

    /// What a Phase 3 saw of each layer; empty for another phase.
    public List<LayerFigures> layers() {
        return attempts.stream().limit(1).flatMap(first -> first.events().stream()).filter(event -> event.reasonCode().equals(DIAGNOSED)).findFirst()
                .map(event -> List.of(ledger.read(event.details(), LayerFigures[].class))).orElse(List.of());
    }

    /// The first and only plan of a Phase 3.
    public PhasePoint start() {
        return point(startPlan());
    }

    /// The skills whose plans were kept, in order.
    public List<String> keptSkills() {
        return attempts.stream().skip(1).filter(attempt -> attempt.state().equals(Optional.of(AttemptState.KEPT))).map(AttemptRecord::skill).toList();
    }

    /// The skills that were reverted because their plans were wrong, with what the lens found, and those that failed themselves, with their stack traces.
    public List<DebugEntry> debugEntries() {
        return attempts.stream().skip(1).filter(AttemptRecord::settled).flatMap(attempt -> debugEntry(attempt).stream()).toList();
    }

    private Optional<DebugEntry> debugEntry(AttemptRecord attempt) {
        SkillRecord skill = ledger.read(attempt.events().getLast().details(), SkillRecord.class);
        if (skill.code() == ReasonCode.SKILL_CRASHED || !skill.trace().isEmpty()) {
            return Optional.of(DebugEntry.crashed(skill.skill(), skill.reason(), skill.planBefore(), skill.trace()));
        }
        return attempt.events().stream().filter(event -> event.reasonCode().equals(PhaseJournal.LOCALIZED)).reduce((_, later) -> later)
                .map(event -> ledger.read(event.details(), Localization.class))
                .map(found -> DebugEntry.reverted(skill.skill(), skill.reason(), found.plan(), found.lines(), skill.revertedTo()
                        .map(proof -> String.format(Locale.ROOT, "plan %s is back, %.4f ms as before", proof.plan(), proof.milliseconds())).orElse("not reverted")));
    }

    private SkillReport report(Phase phase, SkillRecord skill) {
        String made = skill.planAfter().orElse(skill.planBefore());
        return new SkillReport(skill.skill(), skill.outcome(), OptionalDouble.of(skill.before()), skill.after(), skill.reason(), skill.planBefore(), made,
                sections(phase, skill, made), evidence(skill));
    }

    private List<SkillSection> sections(Phase phase, SkillRecord skill, String made) {
        String verify = skill.verdict().map(Enum::name).orElse("not asked");
        return new EvidenceSections(phase, profile(skill.planBefore()), profile(made), skill.selfCheck(), verify).of(skill.evidence());
    }

    private static List<String> evidence(SkillRecord skill) {
        List<String> lines = new ArrayList<>();
        skill.selfCheck().ifPresent(check -> lines.add("self-check: " + check.text()));
        skill.verdict().ifPresent(verdict -> lines.add("gate: " + verdict));
        if (skill.callsBefore() != skill.callsAfter()) {
            lines.add(String.format(Locale.ROOT, "XRT calls a pass: %d → %d", skill.callsBefore(), skill.callsAfter()));
        }
        skill.comparison().ifPresent(figures -> {
            lines.add(String.format(Locale.ROOT, "compared in turn: %s; noise of two runs %.1f %%, by %d runs of the baseline", figures.text(), 100 * figures.noise(), figures.noiseRuns()));
            lines.add("samples, ms before/after: " + figures.samplesText());
        });
        skill.revertedTo().ifPresent(proof -> lines.add(String.format(Locale.ROOT, "reverted: plan `%s` from the ledger, compiled and measured again: %.4f ms",
                proof.plan(), proof.milliseconds())));
        skill.trace().forEach(lines::add);
        skill.blockers().forEach(blocker -> lines.add("blocker: " + blocker));
        skill.warnings().forEach(warning -> lines.add("warning: " + warning));
        return lines;
    }

    private PhasePoint point(String plan) {
        ProfileSummary measured = profile(plan).orElseThrow(() -> ledger.lacks("a measurement of plan " + plan));
        GateSummary gate = gate(ledger, run, plan).orElseThrow(() -> ledger.lacks("a verdict on plan " + plan));
        return new PhasePoint(plan, measured, gate, longer(ledger, run, plan));
    }

    /// The newest verdict of the usual length on a plan in a run.
    static Optional<GateSummary> gate(Ledger ledger, RunId run, String plan) {
        return verdicts(ledger, run, plan).filter(verdict -> verdict.tokens() <= GateRules.TOKENS).findFirst();
    }

    /// The newest verdict of a longer check.
    static Optional<GateSummary> longer(Ledger ledger, RunId run, String plan) {
        return verdicts(ledger, run, plan).filter(verdict -> verdict.tokens() > GateRules.TOKENS).findFirst();
    }

    private static Stream<GateSummary> verdicts(Ledger ledger, RunId run, String plan) {
        return ledger.verdicts(run, plan).reversed().stream().map(verdict -> ledger.read(verdict.rules(), GateSummary.class));
    }

    /// The sample of a plan that stands for all of this run.
    private Optional<ProfileSummary> profile(String plan) {
        List<ProfileSummary> samples = ledger.measurements(run, plan).stream().map(measured -> profile(ledger, measured)).toList();
        return samples.isEmpty() ? Optional.empty() : Optional.of(samples.size() == 1 ? samples.getFirst() : description().inTheMiddle(samples));
    }

    private PhaseDescription description() {
        GatedPhase phase = ledger.run(run).key().phase();
        return phase == GatedPhase.FULL_MODEL ? PhaseDescription.DECODE : PhaseDescription.of(phase);
    }

    /// @throws NpuflowException NPF-602 for what no phase measured; a phase always decodes
    static ProfileSummary profile(Ledger ledger, Measurement measured) {
        ProfileSummary profile = ledger.read(measured.profile(), ProfileSummary.class);
        if (profile.decodeTokens() < 1) {
            throw ledger.lacks("a decoded token of plan " + measured.plan());
        }
        return profile;
    }
}
