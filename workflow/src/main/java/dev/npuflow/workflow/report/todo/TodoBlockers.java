package dev.npuflow.workflow.report.todo;

import java.util.Optional;
import java.util.function.Predicate;

/// The block of what keeps phases from being done: one line of npuflow's a blocked phase, beside those of people; `None.` where there is none.
record TodoBlockers(TextLines lines) {

    private static final String NONE = "None.";

    void update(TodoFacts.PhaseLine phase) {
        String begin = "%sPhase %d: ".formatted(TodoList.OWN, phase.phase());
        int own = find(line -> line.strip().startsWith(begin));
        Optional<String> text = phase.blocker().map(begin::concat);
        if (text.isPresent() && own >= 0) {
            lines.set(own, text.get());
        } else if (text.isPresent()) {
            add(text.get());
        } else if (own >= 0) {
            remove(own);
        }
    }

    private void add(String text) {
        int none = find(line -> line.strip().equals(NONE));
        if (none >= 0) {
            lines.set(none, text);
            return;
        }
        int from = section();
        int end = lines.withoutBlanks(from, lines.sectionEnd(from));
        if (end == from) {
            lines.insert(end++, "");
        }
        lines.insert(end, text);
    }

    private void remove(int own) {
        int from = section();
        boolean alone = lines.find(from, lines.sectionEnd(from), line -> !line.isBlank() && !line.equals(lines.get(own))) < 0;
        if (alone) {
            lines.set(own, NONE);
        } else {
            lines.remove(own);
        }
    }

    private int find(Predicate<String> wanted) {
        int from = section();
        return lines.find(from, lines.sectionEnd(from), wanted);
    }

    private int section() {
        return lines.section(TodoList.BLOCKERS);
    }
}
