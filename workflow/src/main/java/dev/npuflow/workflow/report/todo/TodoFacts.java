package dev.npuflow.workflow.report.todo;

import dev.npuflow.workflow.report.MarkdownText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What npuflow has to say in a model's `TODO.md`.
///
/// @param model  its name
/// @param phases those that something is known of; the others keep what stands there
/// @param config resolved fields by their names in docs/upstream.md, "Phases"
public record TodoFacts(String model, List<PhaseLine> phases, SequencedMap<String, String> config) {

    public TodoFacts {
        phases = List.copyOf(phases);
        config = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(config));
    }


    /// @param done    whether the box is ticked
    /// @param text    one line under the box
    /// @param blocker what keeps the phase from being done; empty if nothing does
    public record PhaseLine(int phase, boolean done, String text, Optional<String> blocker) {

        public PhaseLine {
            text = MarkdownText.line(text);
            blocker = blocker.map(MarkdownText::line);
        }
    }
}
