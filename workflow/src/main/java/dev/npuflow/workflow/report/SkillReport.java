package dev.npuflow.workflow.report;

import java.util.List;
import java.util.OptionalDouble;

/// One skill's experiment as the phase document tells it.
///
/// @param msBefore   ms a token of the plan the skill started from
/// @param msAfter    ms a token of the plan it made; empty if that was not measured
/// @param planBefore hash
/// @param planAfter  hash of the plan it made; the one before where it made none
/// @param sections   what it changed, see [SkillSections]
/// @param evidence   how it was kept or undone, one line each
public record SkillReport(String name, Outcome outcome, OptionalDouble msBefore, OptionalDouble msAfter, String reason, String planBefore,
        String planAfter, List<SkillSection> sections, List<String> evidence) {

    public SkillReport {
        sections = List.copyOf(sections);
        evidence = List.copyOf(evidence);
    }
}
