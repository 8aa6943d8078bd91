package dev.npuflow.skill.merge;

/// Neighbouring calls of a run, by their numbers.
///
/// @param from first call
/// @param to   behind the last one
record Span(int from, int to) {

    int size() {
        return to - from;
    }

    boolean holds(Span other) {
        return from <= other.from && other.to <= to;
    }
}
