package dev.npuflow.workflow.report;

import java.util.Optional;

/// A plan with what was measured of it and how it was judged.
///
/// @param plan   hash
/// @param longer the longer check of a phase's last plan; empty where there was none
public record PhasePoint(String plan, ProfileSummary profile, GateSummary gate, Optional<GateSummary> longer) {}
