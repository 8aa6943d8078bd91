package dev.npuflow.workflow.ablation;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// One set of skills on the baseline.
///
/// @param skills       in the order they were applied; empty for the baseline
/// @param plan         hash; empty where no plan came of it
/// @param milliseconds a token; empty where it was not measured
/// @param verdict      the gate's, or `NOT_MADE`
/// @param reason       one line
public record AblationRow(List<String> skills, Optional<String> plan, OptionalDouble milliseconds, String verdict, String reason) {

    static final String NOT_MADE = "NOT_MADE";

    public AblationRow {
        skills = List.copyOf(skills);
    }

    public String label() {
        return skills.isEmpty() ? "baseline" : String.join(" + ", skills);
    }
}
