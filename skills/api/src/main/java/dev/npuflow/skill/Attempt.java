package dev.npuflow.skill;

import java.util.List;

/// An earlier try of the same skill in this phase that did not compile.
///
/// @param plan     hash of the plan it produced
/// @param blockers why it did not compile
public record Attempt(String plan, List<Blocker> blockers) {

    public Attempt {
        blockers = List.copyOf(blockers);
    }
}
