package dev.npuflow.workflow.ledger;

import java.util.Optional;

/// Wall-clock time of a run.
///
/// @param begun   UTC, `YYYY-MM-DD HH:MM:SS`
/// @param ended   the same; empty while it goes on
/// @param seconds from one to the other, or to now
public record RunTime(String begun, Optional<String> ended, long seconds) {}
