package dev.npuflow.workflow.phase;

import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.List;

/// What a phase came to.
///
/// @param gate   of the final plan
/// @param reason one line
public record PhaseResult(Status status, String reason, ProfileSummary baseline, ProfileSummary last, GateSummary gate, List<SkillRecord> skills) {

    /// How a phase ends.
    public enum Status { PASS, FAIL, ERROR }

    public PhaseResult {
        skills = List.copyOf(skills);
    }

    /// Baseline time over final time.
    public double speedUp() {
        return baseline.millisecondsPerToken() / last.millisecondsPerToken();
    }
}
