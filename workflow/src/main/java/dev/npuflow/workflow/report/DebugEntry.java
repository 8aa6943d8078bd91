package dev.npuflow.workflow.report;

import java.util.List;

/// A skill that went wrong.
///
/// @param failing  what noticed it, with its reason
/// @param plan     hash of the wrong plan; where the skill made none, of the one that it was asked about
/// @param found    where and why, a line each
/// @param evidence which plan holds now
public record DebugEntry(Kind kind, String skill, String failing, String plan, List<String> found, String evidence) {

    /// What became of the skill.
    public enum Kind {
        /// Its plan was wrong.
        REVERTED,
        /// It failed itself and made no plan.
        CRASHED
    }

    public DebugEntry {
        found = List.copyOf(found);
    }

    /// @param found the last line is the fix
    public static DebugEntry reverted(String skill, String failing, String plan, List<String> found, String evidence) {
        return new DebugEntry(Kind.REVERTED, skill, failing, plan, found, evidence);
    }

    /// @param found what was thrown and the skill's own frames
    public static DebugEntry crashed(String skill, String failing, String plan, List<String> found) {
        return new DebugEntry(Kind.CRASHED, skill, failing, plan, found, "plan %s holds on".formatted(plan));
    }
}
