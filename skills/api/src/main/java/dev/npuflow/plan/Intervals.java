package dev.npuflow.plan;

import java.util.ArrayList;
import java.util.List;

/// A set of element numbers as disjoint half-open intervals in rising order. Immutable.
record Intervals(List<Interval> parts) {

    /// Elements `from` to `to` (exclusive).
    record Interval(long from, long to) {}

    static final Intervals NONE = new Intervals(List.of());

    Intervals {
        parts = List.copyOf(parts);
    }

    static Intervals of(long from, long elements) {
        return elements == 0 ? NONE : new Intervals(List.of(new Interval(from, from + elements)));
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    long elements() {
        return parts.stream().mapToLong(part -> part.to - part.from).sum();
    }

    Intervals union(Intervals other) {
        List<Interval> joined = new ArrayList<>(minus(other).parts);
        joined.addAll(other.parts);
        joined.sort((a, b) -> Long.compare(a.from, b.from));
        List<Interval> merged = new ArrayList<>();
        for (Interval next : joined) {
            if (!merged.isEmpty() && merged.getLast().to == next.from) {
                merged.add(new Interval(merged.removeLast().from, next.to));
            } else {
                merged.add(next);
            }
        }
        return new Intervals(merged);
    }

    Intervals minus(Intervals other) {
        List<Interval> left = new ArrayList<>();
        for (Interval part : parts) {
            long from = part.from;
            for (Interval cut : other.parts) {
                if (cut.to <= from || cut.from >= part.to) {
                    continue;
                }
                if (cut.from > from) {
                    left.add(new Interval(from, cut.from));
                }
                from = cut.to;
            }
            if (from < part.to) {
                left.add(new Interval(from, part.to));
            }
        }
        return new Intervals(left);
    }

    boolean meets(Intervals other) {
        return minus(other).elements() < elements();
    }
}
