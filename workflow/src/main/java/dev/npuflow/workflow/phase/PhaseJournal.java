package dev.npuflow.workflow.phase;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.decision.DecisionFigures;
import dev.npuflow.workflow.decision.Noise;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.ledger.AttemptEvent;
import dev.npuflow.workflow.ledger.AttemptRecord;
import dev.npuflow.workflow.ledger.AttemptState;
import dev.npuflow.workflow.ledger.Conditions;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Measurement;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.VerdictRecord;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.provenance.Build;
import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.LayerFigures;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What the loop writes down as it goes, so that a crash at any instant leaves a ledger to go on from; and what it tells meanwhile.
public final class PhaseJournal {

    /// The reason code of an event whose details are a localization.
    static final String LOCALIZED = "localized";

    /// The reason code of an event whose details are the figures of a decision.
    static final String COMPARED = "compared";

    private final Ledger ledger;
    private final RunId run;
    private final String device;
    private final PhaseProgress progress;
    private final GateReports reports;
    private int ordinal = -1;
    private volatile String current = "";
    private volatile String stage = "";

    /// @param device hash of the device description
    public PhaseJournal(Ledger ledger, RunId run, String device, PhaseProgress progress, GateReports reports) {
        this.ledger = ledger;
        this.run = run;
        this.device = device;
        this.progress = progress;
        this.reports = reports;
    }

    /// Writes the report of a verification.
    public interface GateReports {

        /// @return the report's path, for people
        String write(String plan, GateResult gate);

        /// Where and why a plan that is to be reverted is wrong; empty where nobody looks.
        default Optional<Localization> localize(Deployment wrong) {
            return Optional.empty();
        }

        /// Holds each operator of a plan that passed the gate to its noise, in the prefill of one prompt and a few steps behind it; empty where nobody looks.
        default Optional<Localization> operators(Deployment passed) {
            return Optional.empty();
        }
    }

    /// Begins the attempt of a skill, or of the baseline; the ordinal counts on.
    void begin(String skill) {
        ordinal++;
        stage = "";
        current = skill;
        ledger.beginAttempt(run, ordinal, skill);
    }

    /// A step of the phase begins, for people.
    void step(int number, int of, String name) {
        progress.step(number, of, name);
    }

    void stage(String begun) {
        stage = begun;
        progress.stage(begun);
    }

    /// What is being tried and how far it is, such as `my-skill: applying`; empty before the first attempt. Any thread may ask.
    public String current() {
        return stage.isEmpty() ? current : current + ": " + stage;
    }

    void made(Deployment plan) {
        ledger.recordPlan(plan);
        event(AttemptEvent.of(AttemptState.APPLIED, "applied", "made a plan").withDetails(CanonicalJson.write(plan.hash())));
    }

    void blocked(String plan, List<Blocker> blockers) {
        event(AttemptEvent.of(AttemptState.APPLIED, "does_not_compile", "plan %s: %s".formatted(plan, blockers.getFirst().message()))
                .withDetails(CanonicalJson.write(blockers)));
    }

    void compiled() {
        event(AttemptEvent.of(AttemptState.COMPILED, "compiles", "every call compiles"));
    }

    void selfCheck(SelfCheck check) {
        event(AttemptEvent.of(AttemptState.SELF_CHECKED, check.passed() ? "pass" : "fail", check.failure().orElse("same as before"))
                .withDetails(CanonicalJson.write(check)));
    }

    void verdict(String plan, GateResult gate) {
        ledger.recordVerdict(run, new VerdictRecord(plan, gate.verdict(), reports.write(plan, gate), GateSummary.of(gate).toJson()));
        event(AttemptEvent.of(AttemptState.VERIFIED, gate.verdict().name().toLowerCase(Locale.ROOT), gate.reason()));
    }

    void diagnosed(List<LayerFigures> layers) {
        event(AttemptEvent.of(AttemptState.COMPILED, RecordedPhase.DIAGNOSED, "%d layers against the reference".formatted(layers.size()))
                .withDetails(CanonicalJson.write(layers)));
    }

    void measured(ProfileSummary profile) {
        sampled(profile);
        event(AttemptEvent.of(AttemptState.MEASURED, "measured", String.format(Locale.ROOT, "%.3f ms/token", profile.phaseMillisecondsPerToken())));
    }

    /// How much a target varies, by the samples of the baseline.
    void noise(Noise noise) {
        event(AttemptEvent.of(AttemptState.MEASURED, "noise", String.format(Locale.ROOT, "two of %d runs differ by %.1f %%", noise.runs(), 100 * noise.share()))
                .withDetails(CanonicalJson.write(noise)));
    }

    /// Two plans were measured in turn on a target that varies.
    void compared(DecisionFigures figures) {
        event(AttemptEvent.of(AttemptState.MEASURED, COMPARED, figures.text()).withDetails(CanonicalJson.write(figures)));
    }

    /// One sample of several.
    void sampled(ProfileSummary profile) {
        Conditions conditions = new Conditions(profile.promptTokens(), profile.paddedPrompt(), profile.decodeTokens(), device, profile.source(),
                Build.identity());
        ledger.recordMeasurement(run, new Measurement(profile.planHash(), conditions, profile.toJson()));
    }

    /// The first operator of a changed plan that is beyond its noise, in one line; empty if all are within, nobody looks, or the plan before has the same.
    Optional<String> beyondNoise(Deployment before, Deployment changed) {
        Optional<Localization.Fault> fault = reports.operators(changed).flatMap(Localization::fault);
        boolean own = fault.isPresent() && reports.operators(before).flatMap(Localization::fault)
                .filter(old -> old.phase() == fault.get().phase() && old.operator().equals(fault.get().operator())).isEmpty();
        return own ? Optional.of(fault.get().lines().getFirst()) : Optional.empty();
    }

    /// Says where a skill's plan is wrong, if it is. The lens informs: if it fails too, the revert goes on.
    void localize(SkillRecord wrong) {
        if (wrong.code().wrong() && wrong.planAfter().isPresent()) {
            stage("localizing");
            try {
                reports.localize(ledger.plan(wrong.planAfter().get())).ifPresent(found -> event(
                        AttemptEvent.of(AttemptState.VERIFIED, LOCALIZED, found.lines().getFirst()).withDetails(CanonicalJson.write(found))));
            } catch (NpuflowException e) {
                event(AttemptEvent.of(AttemptState.VERIFIED, "not_localized", e.getMessage()));
            }
        }
    }

    /// Settles the attempt: what holds from now on is on disk before the loop goes on.
    void settle(SkillRecord record, String planThatHolds) {
        AttemptState state = switch (record.outcome()) {
            case APPLIED -> AttemptState.KEPT;
            case SKIPPED -> AttemptState.SKIPPED;
            case REVERTED -> AttemptState.REVERTED;
        };
        event(AttemptEvent.of(state, record.code().name().toLowerCase(Locale.ROOT), record.reason())
                .withPlans(record.planBefore(), planThatHolds).withDetails(CanonicalJson.write(record)));
        progress.stage(record.outcome().name().toLowerCase(Locale.ROOT));
    }

    /// Settles the baseline as what holds until a skill is kept.
    void settleBaseline(String plan) {
        event(AttemptEvent.of(AttemptState.KEPT, "baseline", "the plan that the phase starts from").withPlans(plan, plan));
    }

    /// The record of a skill that this run has already settled.
    Optional<SkillRecord> settledBefore(String skill) {
        return ledger.attempts(run).stream().filter(attempt -> attempt.ordinal() > 0 && attempt.skill().equals(skill) && attempt.settled())
                .map(AttemptRecord::events).map(List::getLast).map(last -> ledger.read(last.details(), SkillRecord.class)).findFirst();
    }

    /// The newest measurement of a plan in this run.
    Optional<ProfileSummary> measurement(String plan) {
        return ledger.measurements(run, plan).reversed().stream().findFirst().map(measured -> RecordedPhase.profile(ledger, measured));
    }

    /// The newest verdict on a plan in this run.
    Optional<GateSummary> gate(String plan) {
        return RecordedPhase.gate(ledger, run, plan);
    }

    /// The newest longer check of a plan in this run.
    Optional<GateSummary> longer(String plan) {
        return RecordedPhase.longer(ledger, run, plan);
    }

    Deployment load(String plan) {
        return ledger.plan(plan);
    }

    private void event(AttemptEvent event) {
        boolean settled = ledger.attempts(run).stream().anyMatch(attempt -> attempt.ordinal() == ordinal && attempt.settled());
        if (!settled) {
            ledger.recordEvent(run, ordinal, event);
        }
    }
}
