package dev.npuflow.workflow.report;

/// A plan with what was measured of it and how it was judged.
///
/// @param plan hash
public record PhasePoint(String plan, ProfileSummary profile, GateSummary gate) {}
