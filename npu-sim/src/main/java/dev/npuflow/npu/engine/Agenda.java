package dev.npuflow.npu.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What is to happen when. The queue orders numbers; this knows the events behind them. A standing event, such as a node's wake, is entered once and scheduled
/// again and again, which stores no reference and allocates nothing: most events of a program are of that kind. Others are entered when they are scheduled and
/// leave when they happen.
final class Agenda {

    private static final int FIRST_SIZE = 64;

    private final EventQueue queue;
    private Event[] standing = new Event[FIRST_SIZE];
    private int standingCount;
    /// A single event's number is the complement of its place, so that it is below 0.
    private @Nullable Event[] single = new Event[FIRST_SIZE];
    private int[] freePlaces = new int[0];
    private int freeCount;

    Agenda(int capacity) {
        queue = new EventQueue(capacity);
        freePlaces(0, FIRST_SIZE);
    }

    long now() {
        return queue.now();
    }

    /// @return its number, for [#schedule(long, int, long, int)]
    int enter(Event event) {
        if (standingCount == standing.length) {
            standing = Arrays.copyOf(standing, 2 * standingCount);
        }
        standing[standingCount] = event;
        return standingCount++;
    }

    void schedule(long at, int rank, long sequence, int standingEvent) {
        queue.schedule(at, rank, sequence, standingEvent);
    }

    void schedule(long at, int rank, long sequence, Event event) {
        if (freeCount == 0) {
            int places = single.length;
            single = Arrays.copyOf(single, 2 * places);
            freePlaces(places, 2 * places);
        }
        int place = freePlaces[--freeCount];
        single[place] = event;
        queue.schedule(at, rank, sequence, ~place);
    }

    private void freePlaces(int from, int to) {
        freePlaces = new int[to];
        for (int place = from; place < to; place++) {
            freePlaces[freeCount++] = place;
        }
    }

    /// Lets events happen, the earliest first, until none is left.
    ///
    /// @return how many there were
    long run() {
        long events = 0;
        while (!queue.isEmpty()) {
            next(queue.poll()).happen();
            events++;
        }
        return events;
    }

    private Event next(int number) {
        if (number >= 0) {
            return standing[number];
        }
        int place = ~number;
        Event event = single[place];
        single[place] = null;
        freePlaces[freeCount++] = place;
        if (event == null) {
            throw new IllegalStateException("event " + number + " has happened already");
        }
        return event;
    }
}
