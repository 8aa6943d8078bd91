package dev.npuflow.workflow.cli.ledger;

import dev.npuflow.workflow.cli.RunDescription;
import dev.npuflow.workflow.ledger.AttemptEvent;
import dev.npuflow.workflow.ledger.AttemptRecord;
import dev.npuflow.workflow.ledger.AttemptState;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.phase.SkillRecord;
import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Why a run was made, and why it decided as it did: all of it from the records.
///
/// @param because  one line: what made the run necessary, or that it was only asked for
/// @param start    hash of the plan that it started from; empty where it ended before
/// @param leftBy   the run that left that plan, of the phase before
/// @param left     hash of the plan that it left; empty unless it passed
/// @param attempts in the order they were tried
record RunAccount(String because, Optional<String> start, Optional<Long> leftBy, Optional<String> left, List<Attempt> attempts) {

    /// One attempt.
    ///
    /// @param decision    `kept`, `reverted`, `skipped`, or `unfinished`
    /// @param planBefore  hash of the plan that it was tried on
    /// @param planMade    hash of the last plan that it made
    /// @param planAfter   hash of the plan that holds after it
    /// @param msBefore    in the figure of its phase
    /// @param verdicts    on what it made, the oldest first; the final gate's stand with the baseline where nothing was kept, else with the last that was kept
    /// @param history     its steps
    record Attempt(int ordinal, String skill, String decision, String reasonCode, String reason, Optional<String> planBefore, Optional<String> planMade, Optional<String> planAfter,
            OptionalDouble msBefore, OptionalDouble msAfter, List<JudgedPlan> verdicts, List<TimedPlan> times, List<String> history) {}

    /// One verdict.
    ///
    /// @param prompts that were judged
    /// @param tokens  of each
    record JudgedPlan(String plan, String verdict, int prompts, int tokens, String reason) {}

    /// One measurement.
    ///
    /// @param build of npuflow, which measured
    record TimedPlan(String plan, OptionalDouble msPerToken, double prefillMs, String source, String build) {}

    static RunAccount of(Ledger ledger, Run run) {
        RecordedPhase recorded = new RecordedPhase(ledger, run.id());
        Optional<String> start = run.key().leavesPlan() ? recorded.begun() : Optional.empty();
        return new RunAccount(because(ledger, run, start), start, start.flatMap(plan -> leftBy(ledger, run, plan)),
                run.status() == RunStatus.PASS && run.key().leavesPlan() ? Optional.of(ledger.finalPlan(run)) : Optional.empty(),
                ledger.attempts(run.id()).stream().map(attempt -> attempt(ledger, run, attempt)).toList());
    }

    private static String because(Ledger ledger, Run run, Optional<String> start) {
        Optional<Run> before = ledger.passedRuns(run.key()).filter(passed -> passed.id().value() < run.id().value()).findFirst();
        if (before.isEmpty()) {
            return "no run of this kind had passed before it";
        }
        long number = before.get().id().value();
        List<String> judge = RunDescription.otherJudge(before.get().options(), run.options());
        if (!judge.isEmpty()) {
            return "run %d had passed, but was judged by other %s".formatted(number, String.join(", ", judge));
        }
        if (run.key().leavesPlan() && !new RecordedPhase(ledger, before.get().id()).begun().equals(start)) {
            return "run %d had passed, but from another plan".formatted(number);
        }
        return "it was asked for, although run %d had passed by the same judge from the same plan".formatted(number);
    }

    private static Optional<Long> leftBy(Ledger ledger, Run run, String plan) {
        return (switch (run.key().phase()) {
            case FULL_MODEL -> Optional.<GatedPhase>empty();
            case PREFILL -> Optional.of(GatedPhase.FULL_MODEL);
            case DECODE -> Optional.of(GatedPhase.PREFILL);
        }).flatMap(phase -> ledger.history().stream().map(each -> ledger.run(each.id())).filter(each -> each.id().value() < run.id().value() && each.status() == RunStatus.PASS)
                .filter(each -> each.key().phase() == phase && each.key().kind().equals("phase") && each.key().modelName().equals(run.key().modelName())
                        && each.key().fingerprint().equals(run.key().fingerprint()) && each.key().device().equals(run.key().device()))
                .filter(each -> ledger.finalPlan(each).equals(plan)).map(each -> each.id().value()).reduce((_, later) -> later));
    }

    private static Attempt attempt(Ledger ledger, Run run, AttemptRecord attempt) {
        List<AttemptEvent> events = attempt.events();
        Optional<AttemptEvent> last = attempt.settled() ? Optional.of(events.getLast()) : Optional.empty();
        Optional<SkillRecord> skill = last.filter(_ -> attempt.ordinal() > 0 && run.key().leavesPlan()).map(event -> ledger.read(event.details(), SkillRecord.class));
        List<String> made = events.stream().filter(event -> event.state() == AttemptState.APPLIED && event.reasonCode().equals("applied"))
                .map(event -> ledger.read(event.details(), String.class)).distinct().toList();
        List<JudgedPlan> verdicts = new ArrayList<>();
        List<TimedPlan> times = new ArrayList<>();
        for (String plan : made) {
            ledger.verdicts(run.id(), plan).stream().map(verdict -> ledger.read(verdict.rules(), GateSummary.class))
                    .forEach(gate -> verdicts.add(new JudgedPlan(plan, gate.verdict().name(), gate.prompts().size(), gate.tokens(), gate.reason())));
            ledger.measurements(run.id(), plan).forEach(measured -> {
                ProfileSummary profile = ledger.read(measured.profile(), ProfileSummary.class);
                times.add(new TimedPlan(plan, profile.millisecondsPerToken(), profile.secondsToFirstToken() * 1000, measured.conditions().source(), measured.conditions().build()));
            });
        }
        return new Attempt(attempt.ordinal(), attempt.skill(), decision(last), last.map(AttemptEvent::reasonCode).orElse(""), last.map(AttemptEvent::reason).orElse(""),
                last.flatMap(AttemptEvent::planBefore), made.stream().reduce((_, later) -> later), last.flatMap(AttemptEvent::planAfter),
                skill.stream().mapToDouble(SkillRecord::before).findFirst(), skill.map(SkillRecord::after).orElse(OptionalDouble.empty()), verdicts, times,
                events.stream().map(event -> "%s %s: %s".formatted(event.state(), event.reasonCode(), event.reason())).toList());
    }

    private static String decision(Optional<AttemptEvent> last) {
        return last.map(event -> switch (event.state()) {
            case KEPT -> "kept";
            case REVERTED -> "reverted";
            case SKIPPED -> "skipped";
            case ASSESSED, APPLIED, COMPILED, SELF_CHECKED, VERIFIED, MEASURED -> "unfinished";
        }).orElse("unfinished");
    }
}
