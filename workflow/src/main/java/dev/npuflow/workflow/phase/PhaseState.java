package dev.npuflow.workflow.phase;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.report.ProfileSummary;

/// Where a phase stands: a plan that passed the gate, and its measurement.
public record PhaseState(Deployment deployment, ProfileSummary profile) {

    public double milliseconds() {
        return profile.millisecondsPerToken();
    }
}
