package dev.npuflow.workflow.phase;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.report.ProfileSummary;

/// Where a phase stands: a plan that passed the gate, its measurement, and the figure that the phase compares.
public record PhaseState(Deployment deployment, ProfileSummary profile, double milliseconds) {}
