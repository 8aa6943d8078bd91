package dev.npuflow.workflow.ledger;

import java.util.List;
import java.util.Optional;

/// One experiment of a run: a skill's, or the baseline's.
///
/// @param ordinal 0 for the baseline, then the skills in the order they were tried
/// @param events  oldest first
public record AttemptRecord(int ordinal, String skill, List<AttemptEvent> events) {

    public AttemptRecord {
        events = List.copyOf(events);
    }

    /// Empty right after the attempt began.
    public Optional<AttemptState> state() {
        return events.isEmpty() ? Optional.empty() : Optional.of(events.getLast().state());
    }

    public boolean settled() {
        return state().map(AttemptState::settled).orElse(false);
    }
}
