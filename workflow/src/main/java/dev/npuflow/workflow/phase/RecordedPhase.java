package dev.npuflow.workflow.phase;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ledger.AttemptRecord;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.PhaseDocument;
import dev.npuflow.workflow.report.PhasePoint;
import dev.npuflow.workflow.report.ProfileSummary;
import dev.npuflow.workflow.report.SkillReport;
import dev.npuflow.workflow.report.SkillSection;
import dev.npuflow.workflow.report.SkillSections;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// A phase as the ledger holds it: the only source of its document.
public final class RecordedPhase {

    private final Ledger ledger;
    private final RunId run;
    private final Phase phase;

    public RecordedPhase(Ledger ledger, RunId run, Phase phase) {
        this.ledger = ledger;
        this.run = run;
        this.phase = phase;
    }

    /// @param notes paragraphs under the result
    public PhaseDocument document(String status, List<String> notes) {
        List<AttemptRecord> attempts = ledger.attempts(run);
        String start = holds(attempts.getFirst()).orElseGet(() -> CanonicalJson.read(attempts.getFirst().events().getFirst().details(), String.class));
        String last = start;
        List<SkillReport> skills = new ArrayList<>();
        for (AttemptRecord attempt : attempts.subList(1, attempts.size())) {
            if (attempt.settled()) {
                skills.add(report(CanonicalJson.read(attempt.events().getLast().details(), SkillRecord.class)));
                last = holds(attempt).orElse(last);
            }
        }
        String model = ledger.plan(start).model().name();
        return new PhaseDocument(phase, model, status, notes, point(start), point(last), skills);
    }

    /// The plan that an attempt left in force.
    private static Optional<String> holds(AttemptRecord attempt) {
        return attempt.settled() ? attempt.events().getLast().planAfter() : Optional.empty();
    }

    private SkillReport report(SkillRecord skill) {
        String made = skill.planAfter().orElse(skill.planBefore());
        List<SkillSection> sections = made.equals(skill.planBefore()) || skill.code() == ReasonCode.TOUCHED_ANOTHER_PHASE ? List.of() : sections(skill, made);
        return new SkillReport(skill.skill(), skill.outcome(), OptionalDouble.of(skill.before()), skill.after(), skill.reason(), skill.planBefore(), made,
                sections, evidence(skill));
    }

    private List<SkillSection> sections(SkillRecord skill, String made) {
        Deployment before = ledger.plan(skill.planBefore());
        Deployment after = ledger.plan(made);
        String verify = skill.verdict().map(Enum::name).orElse("not asked");
        return new SkillSections(phase, before, after, profile(skill.planBefore()), profile(made), skill.selfCheck(), verify).sections();
    }

    private static List<String> evidence(SkillRecord skill) {
        List<String> lines = new ArrayList<>();
        skill.selfCheck().ifPresent(check -> lines.add("self-check: " + check.failure().orElse("equal to the plan before")));
        skill.verdict().ifPresent(verdict -> lines.add("gate: " + verdict));
        if (skill.callsBefore() != skill.callsAfter()) {
            lines.add(String.format(Locale.ROOT, "XRT calls a token: %d → %d", skill.callsBefore(), skill.callsAfter()));
        }
        skill.revertedTo().ifPresent(proof -> lines.add(String.format(Locale.ROOT, "reverted: plan `%s` from the ledger, compiled and measured again: %.4f ms/token",
                proof.plan(), proof.millisecondsPerToken())));
        skill.blockers().forEach(blocker -> lines.add("blocker: " + blocker));
        skill.warnings().forEach(warning -> lines.add("warning: " + warning));
        return lines;
    }

    private PhasePoint point(String plan) {
        ProfileSummary measured = profile(plan).orElseThrow(() -> new IllegalStateException("the ledger holds no measurement of plan " + plan));
        GateSummary gate = ledger.verdicts(run, plan).reversed().stream().findFirst().map(verdict -> GateSummary.read(verdict.rules()))
                .orElseThrow(() -> new IllegalStateException("the ledger holds no verdict on plan " + plan));
        return new PhasePoint(plan, measured, gate);
    }

    private Optional<ProfileSummary> profile(String plan) {
        return ledger.measurements(run, plan).stream().findFirst().map(measured -> ProfileSummary.read(measured.profile()));
    }
}
