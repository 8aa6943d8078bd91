package dev.npuflow.workflow.ledger;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One run of a phase.
///
/// @param options of the command line, as far as they decide the result; a resumed run must have the same
/// @param schema  of the ledger when the run was begun
public record Run(RunId id, RunKey key, SortedMap<String, String> options, RunStatus status, int schema) {

    public Run {
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
    }

    /// Whether an older npuflow began it, which recorded less of what judges it.
    public boolean begunByOlder() {
        return schema < LedgerSchema.CURRENT;
    }
}
