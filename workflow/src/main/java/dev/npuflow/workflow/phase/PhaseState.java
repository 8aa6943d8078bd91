package dev.npuflow.workflow.phase;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.decision.Sample;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.List;

/// Where a phase stands: a plan that passed the gate, its measurement, and the figure that the phase compares.
///
/// @param profile      the sample in the middle, where there are several
/// @param milliseconds mean of the samples
/// @param samples      the last that were measured, in order, by the figure of the phase
public record PhaseState(Deployment deployment, ProfileSummary profile, double milliseconds, List<Sample> samples) {

    public PhaseState {
        samples = List.copyOf(samples);
    }
}
