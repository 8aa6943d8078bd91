package dev.npuflow.npu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Who waits for whom when no event is left.
///
/// @param nodes in the order of their names
record Standstill(List<Node> nodes, List<Tokens> semaphores, List<Wire> links) {

    private static final int FEW = 4;

    /// @param how    the verb by which another component would end the wait
    /// @param others components that could do so
    private record Wait(Node waiter, String what, String how, List<Node> others) {}

    /// The cycle of waiters as text: `a waits for s, which b releases; b waits for …`. Where there is no cycle, the waiters that no component can help any more,
    /// a few of them. Empty where all components are done and wait for nothing.
    Optional<String> describe() {
        if (isOver()) {
            return Optional.empty();
        }
        Map<String, Wait> waits = new TreeMap<>();
        for (Node node : nodes) {
            waitOf(node).ifPresent(wait -> waits.put(node.name(), wait));
        }
        List<Wait> helpless = waits.values().stream().filter(wait -> next(wait, waits).isEmpty()).toList();
        return Optional.of(helpless.isEmpty() ? cycle(waits)
                : helpless.stream().limit(FEW).map(wait -> "%s waits for %s, which no component %s any more".formatted(wait.waiter.name(), wait.what, wait.how))
                        .collect(Collectors.joining("; ")));
    }

    /// Asked after every run, so without looking for who waits for whom.
    private boolean isOver() {
        for (Node node : nodes) {
            if (!node.component().isDone()) {
                return false;
            }
        }
        for (Tokens semaphore : semaphores) {
            if (semaphore.hasWaiters()) {
                return false;
            }
        }
        for (Wire link : links) {
            if (link.isStarved()) {
                return false;
            }
        }
        return true;
    }

    private static Optional<Wait> next(Wait wait, Map<String, Wait> waits) {
        return wait.others.stream().filter(other -> waits.containsKey(other.name())).map(other -> waits.get(other.name())).findFirst();
    }

    /// Every wait leads to another, so that going on must come back.
    private static String cycle(Map<String, Wait> waits) {
        List<Wait> path = new ArrayList<>();
        Wait wait = waits.values().iterator().next();
        while (!path.contains(wait)) {
            path.add(wait);
            wait = next(wait, waits).orElseThrow();
        }
        List<Wait> cycle = path.subList(path.indexOf(wait), path.size());
        return IntStream.range(0, cycle.size()).mapToObj(i -> sentence(cycle.get(i), cycle.get((i + 1) % cycle.size()))).collect(Collectors.joining("; "));
    }

    private static String sentence(Wait wait, Wait other) {
        return "%s waits for %s, which %s %s".formatted(wait.waiter.name(), wait.what, other.waiter.name(), wait.how);
    }

    private Optional<Wait> waitOf(Node node) {
        return Stream.of(forTokens(node), forCredit(node), forMessage(node)).flatMap(Optional::stream).findFirst();
    }

    private Optional<Wait> forTokens(Node node) {
        return IntStream.range(0, semaphores.size())
                .filter(number -> semaphores.get(number).isAwaitedBy(node)).boxed().findFirst()
                .map(number -> new Wait(node, semaphores.get(number).name(), "releases",
                        nodes.stream().filter(other -> other != node && other.component().releases().contains(number)).toList()));
    }

    private Optional<Wait> forCredit(Node node) {
        return links.stream().filter(link -> link.isStarved() && link.ends().from() == node).findFirst()
                .map(link -> new Wait(node, "a credit of " + link.name(), "returns", List.of(link.ends().to())));
    }

    private Optional<Wait> forMessage(Node node) {
        return node.component().isDone() ? Optional.empty() : Optional.of(new Wait(node, "a message", "sends",
                links.stream().filter(link -> link.isConnected() && link.ends().to() == node && link.ends().from() != node)
                        .map(link -> link.ends().from()).distinct().toList()));
    }
}
