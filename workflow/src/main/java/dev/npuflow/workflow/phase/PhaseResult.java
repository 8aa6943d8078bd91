package dev.npuflow.workflow.phase;

import dev.npuflow.workflow.decision.DecisionFigures;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.report.GateSummary;
import java.util.List;
import java.util.Optional;

/// What a phase came to.
///
/// @param figure unit of the milliseconds that the phase compares
/// @param gate   of the final plan
/// @param reason one line
/// @param comparison of the final plan with the baseline, on a target that varies
public record PhaseResult(GatedPhase phase, String figure, Status status, String reason, PhaseState baseline, PhaseState last, GateSummary gate,
        List<SkillRecord> skills, Optional<DecisionFigures> comparison) {

    /// How a phase ends.
    public enum Status {
        PASS, FAIL, ERROR;

        /// What a verdict alone makes of a phase.
        static Status of(Verdict verdict) {
            return switch (verdict) {
                case PASS -> PASS;
                case GATE_FAIL, VACUOUS -> FAIL;
                case INFRA_ERROR, LOCK_TIMEOUT -> ERROR;
            };
        }
    }

    public PhaseResult {
        skills = List.copyOf(skills);
    }

    /// Baseline time over final time.
    public double speedUp() {
        return baseline.milliseconds() / last.milliseconds();
    }
}
