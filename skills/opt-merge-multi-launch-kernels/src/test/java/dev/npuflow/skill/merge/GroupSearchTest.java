package dev.npuflow.skill.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.trial.TrialBench;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The search against compilers that refuse a group for one reason or another. The least number of groups comes from trying every cut.
class GroupSearchTest {

    /// Calls that a compiler blames in a group that it refuses, none for the ELF; empty where the group compiles.
    private interface ToolChain extends Function<Span, Optional<List<Integer>>> {}

    private static ToolChain blamingTheElf(Predicate<Span> compiles) {
        return span -> compiles.test(span) ? Optional.empty() : Optional.of(List.of());
    }

    /// Names the launch at which it gives up, as one that goes through the ELF in order does.
    private static ToolChain blamingALaunch(Predicate<Span> compiles) {
        return span -> compiles.test(span) ? Optional.empty() : IntStream.range(span.from(), span.to())
                .filter(last -> last + 1 == span.to() || !compiles.test(new Span(span.from(), last + 1))).boxed().findFirst().map(List::of);
    }

    private static ToolChain blamingTheFirstLaunch(Predicate<Span> compiles) {
        return span -> compiles.test(span) ? Optional.empty() : Optional.of(List.of(span.from()));
    }

    private static ToolChain blamingTheLastLaunch(Predicate<Span> compiles) {
        return span -> compiles.test(span) ? Optional.empty() : Optional.of(List.of(span.to() - 1));
    }

    private static Predicate<Span> atMost(int launches) {
        return span -> span.size() <= launches;
    }

    /// So much of something, 16 buffer descriptors say, for all launches of an ELF.
    private static Predicate<Span> sharing(int[] needs, int there) {
        return span -> span.size() == 1 || IntStream.range(span.from(), span.to()).map(call -> needs[call]).sum() <= there;
    }

    private static Predicate<Span> apart(int one, int other) {
        return span -> !(span.from() <= one && other < span.to());
    }

    private static Predicate<Span> alone(int call) {
        return span -> span.size() == 1 || call < span.from() || span.to() <= call;
    }

    /// Every cut that was tried, the last of which compiled.
    private static List<List<Span>> search(int calls, ToolChain toolChain) {
        GroupSearch search = new GroupSearch(calls, _ -> true);
        List<List<Span>> tried = new ArrayList<>();
        while (true) {
            List<Span> groups = search.best();
            assertTrue(!tried.contains(groups), () -> "tried again: " + groups);
            tried.add(groups);
            boolean compiled = true;
            for (Span group : groups) {
                Optional<List<Integer>> blamed = group.size() == 1 ? Optional.empty() : toolChain.apply(group);
                blamed.ifPresent(named -> search.failed(group, named));
                compiled &= blamed.isEmpty();
            }
            if (compiled) {
                return tried;
            }
        }
    }

    private static int fewest(int calls, Predicate<Span> compiles) {
        int[] groups = new int[calls + 1];
        for (int first = calls - 1; first >= 0; first--) {
            int from = first;
            groups[first] = IntStream.rangeClosed(first + 1, calls).filter(end -> compiles.test(new Span(from, end))).map(end -> 1 + groups[end]).min()
                    .orElseThrow();
        }
        return groups[0];
    }

    private static List<Integer> sizes(List<Span> groups) {
        return groups.stream().map(Span::size).toList();
    }

    private static List<List<Integer>> sizes(int calls, ToolChain toolChain) {
        return search(calls, toolChain).stream().map(GroupSearchTest::sizes).toList();
    }

    @Test void where_all_compiles_there_is_one_group_and_one_attempt() {
        assertEquals(List.of(List.of(8)), sizes(8, blamingTheElf(_ -> true)));
    }

    @Test void an_elf_that_is_too_large_loses_its_last_launch_and_is_then_cut_evenly() {
        assertEquals(List.of(List.of(8), List.of(7, 1), List.of(4, 4), List.of(3, 3, 2)), sizes(8, blamingTheElf(atMost(3))));
    }

    @Test void a_blamed_launch_starts_the_next_group() {
        assertEquals(List.of(List.of(8), List.of(5, 3)), sizes(8, blamingALaunch(apart(2, 5))));
    }

    @ParameterizedTest @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void a_launch_that_blocks_wherever_it_is_merged_ends_alone_and_all_others_are_merged(int blocker) {
        List<Integer> expected = IntStream.of(blocker, 1, 7 - blocker).filter(size -> size > 0).boxed().toList();
        ToolChain blamingIt = span -> alone(blocker).test(span) ? Optional.empty() : Optional.of(List.of(blocker));
        for (ToolChain toolChain : List.of(blamingTheElf(alone(blocker)), blamingALaunch(alone(blocker)), blamingIt)) {
            assertEquals(expected, sizes(search(8, toolChain).getLast()));
        }
        assertTrue(search(8, blamingIt).size() <= 3);
        assertTrue(search(8, blamingTheElf(alone(blocker))).size() <= 6);
    }

    @Test void two_launches_that_block_wherever_they_are_merged_end_alone() {
        ToolChain toolChain = span -> Optional.of(IntStream.of(0, 4).filter(call -> span.size() > 1 && span.holds(new Span(call, call + 1))).boxed().toList())
                .filter(named -> !named.isEmpty());
        assertEquals(List.of(1, 3, 1, 3), sizes(search(8, toolChain).getLast()));
    }

    @Test void a_pair_that_does_not_get_along_is_parted_and_nothing_else() {
        for (int one = 0; one < 18; one++) {
            List<List<Span>> tried = search(19, blamingTheElf(apart(one, one + 1)));
            assertEquals(List.of(one + 1, 18 - one), sizes(tried.getLast()));
            assertTrue(tried.size() <= 7, () -> tried.size() + " attempts: halving takes two and then five at most");
        }
    }

    @Test void what_does_not_place_is_not_tried() {
        GroupSearch search = new GroupSearch(8, atMost(5));
        assertEquals(List.of(5, 3), sizes(search.best()));
    }

    @Test void ends_with_the_fewest_groups_whatever_the_compiler_refuses_and_whom_it_blames() {
        Random random = new Random(7);
        int most = 0;
        for (int run = 0; run < 300; run++) {
            int calls = 2 + random.nextInt(18);
            Predicate<Span> compiles = anyOf(random, calls);
            for (ToolChain toolChain : List.of(blamingTheElf(compiles), blamingALaunch(compiles), blamingTheFirstLaunch(compiles), blamingTheLastLaunch(compiles))) {
                List<List<Span>> tried = search(calls, toolChain);
                assertEquals(fewest(calls, compiles), tried.getLast().size());
                most = Math.max(most, tried.size());
            }
        }
        assertTrue(most <= TrialBench.MOST_COMPILATIONS, "more attempts than a phase allows");
    }

    private static Predicate<Span> anyOf(Random random, int calls) {
        return switch (random.nextInt(4)) {
            case 0 -> atMost(1 + random.nextInt(calls));
            case 1 -> sharing(random.ints(calls, 1, 6).toArray(), 6 + random.nextInt(3 * calls));
            case 2 -> alone(random.nextInt(calls)).and(apart(0, calls - 1));
            default -> {
                int one = random.nextInt(calls - 1);
                yield apart(one, one + 1 + random.nextInt(calls - 1 - one));
            }
        };
    }
}
