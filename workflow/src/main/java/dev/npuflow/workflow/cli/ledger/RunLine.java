package dev.npuflow.workflow.cli.ledger;

import dev.npuflow.workflow.ablation.AblationRow;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// A run in the list of a model's runs.
///
/// @param kind             `phase`, `ablation` or `dry run`
/// @param msPerTokenBefore of the plan that it started from, simulated; of an ablation of its baseline
/// @param msPerTokenAfter  of the plan that holds after its last settled attempt; of an ablation of all its skills together
/// @param plan             hash of that plan
/// @param kept             the skills that were kept, or that an ablation compared
/// @param build            of npuflow, by content; empty for a run of an older npuflow
record RunLine(long run, String fingerprint, int phase, String kind, String device, RunStatus status, String begun, OptionalDouble msPerTokenBefore, OptionalDouble msPerTokenAfter,
        Optional<String> plan, List<String> kept, String build) {

    static RunLine of(Ledger ledger, Run run) {
        return run.key().leavesPlan() ? phase(ledger, run) : ablation(ledger, run);
    }

    private static RunLine phase(Ledger ledger, Run run) {
        RecordedPhase recorded = new RecordedPhase(ledger, run.id());
        Optional<String> start = recorded.begun();
        Optional<String> plan = start.map(_ -> recorded.lastPlan());
        return line(ledger, run, time(ledger, run, start), time(ledger, run, plan), plan, recorded.keptSkills());
    }

    private static RunLine ablation(Ledger ledger, Run run) {
        List<AblationRow> rows = ledger.attempts(run.id()).stream().filter(attempt -> attempt.settled())
                .map(attempt -> ledger.read(attempt.events().getLast().details(), AblationRow.class)).toList();
        return rows.isEmpty() ? line(ledger, run, OptionalDouble.empty(), OptionalDouble.empty(), Optional.empty(), List.of())
                : line(ledger, run, rows.getFirst().milliseconds(), rows.getLast().milliseconds(), rows.getLast().plan(), rows.getLast().skills());
    }

    private static RunLine line(Ledger ledger, Run run, OptionalDouble before, OptionalDouble after, Optional<String> plan, List<String> kept) {
        return new RunLine(run.id().value(), run.key().fingerprint(), run.key().phase().number(), run.key().kind(), run.key().device(), run.status(), ledger.time(run.id()).begun(), before,
                after, plan, kept, run.options().getOrDefault("build", ""));
    }

    private static OptionalDouble time(Ledger ledger, Run run, Optional<String> plan) {
        return plan.flatMap(hash -> ledger.measurements(run.id(), hash).stream().findFirst())
                .map(measured -> ledger.read(measured.profile(), ProfileSummary.class).millisecondsPerToken()).orElse(OptionalDouble.empty());
    }
}
