package dev.npuflow.npu.engine;

import java.util.Arrays;

/// Pending events in the order (time, rank, sequence), without allocation per event.
///
/// Near events sit in a timing wheel, far ones in a 4-ary heap; a poll takes the earlier of the two heads, so nothing is ever moved between them:
///
///     slot = time >> 14                        4096 slots of 16.4 ns, one bit a slot says "not empty"
///     |----now----|....sorted lists....|       times from now + 67 us on: heap
///
/// What the wheel buys: with 10,000 pending events the `EventQueueHold` benchmark takes 20 million events a second from the wheel and 8 million from the heap (a
/// shared machine of two cores). A program has one pending event, and an array a few hundred; a machine with thousands of packets on the way has as many.
///
/// Times are picoseconds in a long: 2^63 ps are 106 days, and a simulation of minutes stays below 2^48.
public final class EventQueue {

    private static final int SLOT_SHIFT = 14;
    private static final int SLOTS = 4096;
    private static final int SEQUENCE_BITS = 40;
    private static final int NONE = -1;

    private long[] time;
    private long[] order;
    private int[] payload;
    private int[] next;
    private int free;
    private final int[] slotHead = new int[SLOTS];
    private final long[] occupied = new long[SLOTS / 64];
    private int inWheel;
    private int[] heap;
    /// The times of the heap's events, beside each other for the comparisons.
    private long[] heapTime;
    private int inHeap;
    private long now;

    /// @param capacity expected number of pending events; grows when exceeded
    public EventQueue(int capacity) {
        int size = Math.max(16, capacity);
        time = new long[size];
        order = new long[size];
        payload = new int[size];
        next = new int[size];
        heap = new int[size];
        heapTime = new long[size];
        Arrays.fill(slotHead, NONE);
        chain(0, size);
    }

    /// @param at       not before the last polled time
    /// @param rank     of the component, from 0 to 2^23 - 1: breaks ties between components
    /// @param sequence of the component's own events, from 0 to 2^40 - 1: breaks ties within one component
    public void schedule(long at, int rank, long sequence, int event) {
        if (at < now) {
            throw new IllegalArgumentException("event at " + at + " ps, before now (" + now + " ps)");
        }
        if (free == NONE) {
            grow();
        }
        int node = free;
        free = next[node];
        time[node] = at;
        order[node] = (long) rank << SEQUENCE_BITS | sequence;
        payload[node] = event;
        if ((at >> SLOT_SHIFT) - (now >> SLOT_SHIFT) < SLOTS) {
            insertIntoWheel(node);
        } else {
            insertIntoHeap(node);
        }
    }

    public boolean isEmpty() {
        return inWheel + inHeap == 0;
    }

    public int size() {
        return inWheel + inHeap;
    }

    /// Takes the earliest event; its time is then [#now()].
    public int poll() {
        int node = inWheel == 0 ? NONE : slotHead[firstSlot()];
        if (node == NONE || inHeap > 0 && before(heap[0], node)) {
            node = removeFromHeap();
        } else {
            removeFromWheel(node);
        }
        now = time[node];
        next[node] = free;
        free = node;
        return payload[node];
    }

    /// Time of the event polled last, in picoseconds.
    public long now() {
        return now;
    }

    private boolean before(int a, int b) {
        return time[a] < time[b] || time[a] == time[b] && order[a] < order[b];
    }

    private void insertIntoWheel(int node) {
        int slot = (int) (time[node] >> SLOT_SHIFT) & SLOTS - 1;
        int at = slotHead[slot];
        if (at == NONE || before(node, at)) {
            next[node] = at;
            slotHead[slot] = node;
        } else {
            while (next[at] != NONE && !before(node, next[at])) {
                at = next[at];
            }
            next[node] = next[at];
            next[at] = node;
        }
        occupied[slot >> 6] |= 1L << slot;
        inWheel++;
    }

    private void removeFromWheel(int node) {
        int slot = (int) (time[node] >> SLOT_SHIFT) & SLOTS - 1;
        slotHead[slot] = next[node];
        if (next[node] == NONE) {
            occupied[slot >> 6] &= ~(1L << slot);
        }
        inWheel--;
    }

    private int firstSlot() {
        int start = (int) (now >> SLOT_SHIFT) & SLOTS - 1;
        int word = start >> 6;
        long bits = occupied[word] & -1L << start;
        while (bits == 0) {
            word = word + 1 & SLOTS / 64 - 1;
            bits = occupied[word];
        }
        return word << 6 | Long.numberOfTrailingZeros(bits);
    }

    private void insertIntoHeap(int node) {
        long key = time[node];
        int at = inHeap++;
        while (at > 0 && heapBefore(key, node, at - 1 >> 2)) {
            move(at - 1 >> 2, at);
            at = at - 1 >> 2;
        }
        heap[at] = node;
        heapTime[at] = key;
    }

    private int removeFromHeap() {
        int top = heap[0];
        int moved = heap[--inHeap];
        long key = heapTime[inHeap];
        int at = 0;
        while (4 * at + 1 < inHeap) {
            int least = 4 * at + 1;
            int end = Math.min(least + 4, inHeap);
            for (int other = least + 1; other < end; other++) {
                if (heapBefore(heapTime[other], heap[other], least)) {
                    least = other;
                }
            }
            if (!heapBefore(heapTime[least], heap[least], key, moved)) {
                break;
            }
            move(least, at);
            at = least;
        }
        heap[at] = moved;
        heapTime[at] = key;
        return top;
    }

    private void move(int from, int to) {
        heap[to] = heap[from];
        heapTime[to] = heapTime[from];
    }

    private boolean heapBefore(long key, int node, int place) {
        return heapBefore(key, node, heapTime[place], heap[place]);
    }

    private boolean heapBefore(long key, int node, long otherKey, int other) {
        return key < otherKey || key == otherKey && order[node] < order[other];
    }

    private void grow() {
        int old = time.length;
        time = Arrays.copyOf(time, 2 * old);
        order = Arrays.copyOf(order, 2 * old);
        payload = Arrays.copyOf(payload, 2 * old);
        next = Arrays.copyOf(next, 2 * old);
        heap = Arrays.copyOf(heap, 2 * old);
        heapTime = Arrays.copyOf(heapTime, 2 * old);
        chain(old, 2 * old);
    }

    private void chain(int from, int to) {
        for (int node = from; node < to; node++) {
            next[node] = node + 1 == to ? NONE : node + 1;
        }
        free = from;
    }
}
