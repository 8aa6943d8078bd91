package dev.npuflow.workflow.kit;

import java.util.List;
import java.util.Locale;

/// What one check of the kit, or one test of the author, came to. Every text is one plain line.
///
/// @param subject what was checked: a test class, or a skill that has none
/// @param check   what it asks, such as `a skill gives the same plan for the same input`
/// @param reason  why it did not pass; empty where it did
/// @param trace   the author's own frames, a line each
/// @param notes   what the check had to say besides, such as a transfer that the launches do not bear out
public record KitResult(String subject, String check, Outcome outcome, String reason, List<String> trace, List<String> notes) {

    /// How a check ends.
    public enum Outcome {
        PASS, FAIL, SKIPPED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public KitResult {
        trace = List.copyOf(trace);
        notes = List.copyOf(notes);
    }

    public static KitResult failed(String subject, String check, String reason, List<String> trace) {
        return new KitResult(subject, check, Outcome.FAIL, reason, trace, List.of());
    }
}
