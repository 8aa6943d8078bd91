package dev.npuflow.workflow.report;

import java.util.Locale;

/// What became of a skill (docs/upstream.md, "Phase documents").
public enum Outcome {
    APPLIED, SKIPPED, REVERTED;

    /// As JSON and documents write it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
