package dev.npuflow.workflow.report;

import java.util.List;

/// A skill that was reverted because its plan was wrong.
///
/// @param failing what noticed it: the self-check or the gate, with its reason
/// @param plan    hash of the wrong plan
/// @param found   where and why, a line each; the last is the fix
/// @param revert  the proof that the plan before is back
public record DebugEntry(String skill, String failing, String plan, List<String> found, String revert) {

    public DebugEntry {
        found = List.copyOf(found);
    }
}
