package dev.npuflow.skill.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// Cuts a run of calls into as few groups as the compiler takes. It only ever proposes a cut with the fewest groups that what is known leaves possible, so the
/// first one that compiles is the best. What did not compile does not compile with more launches either, and a compiler goes through an ELF in order, so what
/// stands behind a blamed launch is not to blame.
///
///     8 calls, the sixth is blamed     [0 .. 5] is out      next: 0-4 | 5-7          the blamed one starts the next group
///     8 calls, the ELF is blamed       [0 .. 7] is out      next: 0-6 | 7            the last call leaves
///     0-6 is blamed as a whole         [0 .. 6] is out      next: 0-3 | 4-7          from now on the middle of what is left
///     0-3 and 4-7 are blamed           two do not do        next: 0-2 | 3-5 | 6-7    the most even cut
///
/// Before these, among cuts with equally few groups, come those in which a suspect stands alone: a launch blamed twice, or the only one that is in
/// every group that failed.
final class GroupSearch {

    private final int calls;
    private final Predicate<Span> places;
    /// The smallest spans known to fail: none holds another.
    private final List<Span> failed = new ArrayList<>();
    private final Map<Integer, Integer> blames = new HashMap<>();
    /// Failures that told no more than that the group fails.
    private int uninformed;

    /// @param places whether the calls of a span of two or more go into one ELF, as far as can be told without compiling the plan
    GroupSearch(int calls, Predicate<Span> places) {
        this.calls = calls;
        this.places = places;
    }

    /// @param span   a group that did not compile
    /// @param blamed numbers of the calls that were named in it; none where the ELF was
    void failed(Span span, List<Integer> blamed) {
        Span fault = new Span(span.from(), blamed.stream().filter(call -> call > span.from()).mapToInt(call -> call + 1).min().orElse(span.to()));
        failed.removeIf(known -> known.holds(fault));
        failed.add(fault);
        blamed.stream().distinct().forEach(call -> blames.merge(call, 1, Integer::sum));
        uninformed += fault.equals(span) ? 1 : 0;
    }

    /// The groups to try next, in order.
    List<Span> best() {
        Span whole = new Span(0, calls);
        if (allowed(whole)) {
            return List.of(whole);
        }
        List<Cut> inTwo = IntStream.range(1, calls).mapToObj(at -> List.of(new Span(0, at), new Span(at, calls)))
                .filter(groups -> groups.stream().allMatch(this::allowed)).map(this::cut).toList();
        if (inTwo.isEmpty()) {
            return inMore().groups;
        }
        int fewest = inTwo.stream().mapToInt(Cut::joined).min().orElseThrow();
        List<Cut> left = inTwo.stream().filter(cut -> cut.joined == fewest).toList();
        return left.get(cutsLast() ? left.size() - 1 : left.size() / 2).groups;
    }

    /// The best cut of all calls, from those of the calls behind the first, behind the second …
    private Cut inMore() {
        Comparator<Cut> order = Comparator.<Cut>comparingInt(cut -> cut.groups.size()).thenComparingInt(Cut::joined)
                .thenComparingInt(cut -> cutsLast() ? 0 : cut.uneven);
        List<Cut> behind = new ArrayList<>(List.of(cut(List.of())));
        for (int first = calls - 1; first >= 0; first--) {
            Cut best = cut(List.of(new Span(first, first + 1))).followedBy(behind.getLast());
            for (int end = first + 2; end <= calls; end++) {
                Span span = new Span(first, end);
                Cut larger = cut(List.of(span)).followedBy(behind.get(calls - end));
                if (order.compare(larger, best) <= 0 && allowed(span)) {
                    best = larger;
                }
            }
            behind.add(best);
        }
        return behind.getLast();
    }

    /// @param joined suspects that do not stand alone
    /// @param uneven sum of the squared sizes
    private record Cut(List<Span> groups, int joined, int uneven) {

        Cut followedBy(Cut rest) {
            List<Span> all = new ArrayList<>(groups);
            all.addAll(rest.groups);
            return new Cut(List.copyOf(all), joined + rest.joined, uneven + rest.uneven);
        }
    }

    private Cut cut(List<Span> groups) {
        return new Cut(groups, groups.stream().mapToInt(this::suspectsJoined).sum(), groups.stream().mapToInt(group -> group.size() * group.size()).sum());
    }

    private boolean cutsLast() {
        return uninformed < 2;
    }

    private int suspectsJoined(Span span) {
        return span.size() == 1 ? 0 : (int) IntStream.range(span.from(), span.to()).filter(this::isSuspect).count();
    }

    private boolean isSuspect(int call) {
        int from = failed.stream().mapToInt(Span::from).max().orElse(0);
        int to = failed.stream().mapToInt(Span::to).min().orElse(0);
        return blames.getOrDefault(call, 0) > 1 || from == call && to == call + 1;
    }

    private boolean allowed(Span span) {
        return span.size() == 1 || failed.stream().noneMatch(span::holds) && places.test(span);
    }
}
