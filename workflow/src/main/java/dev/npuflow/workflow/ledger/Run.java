package dev.npuflow.workflow.ledger;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One run of a phase.
///
/// @param options of the command line, as far as they decide the result; a resumed run must have the same
public record Run(RunId id, RunKey key, SortedMap<String, String> options, RunStatus status) {

    public Run {
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
    }
}
