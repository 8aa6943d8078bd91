package dev.npuflow.npu.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// A link in a run. It keeps time in femtoseconds, which a long holds for two and a half hours: enough for a launch, which starts at zero.
final class Wire {

    private static final long FEMTOSECONDS = 1_000_000_000_000_000L;
    private static final long OF_A_PICOSECOND = 1000;

    /// The two ends; a link that only carries packets along routes has none.
    record Ends(Node from, Node to, Port in) {}

    private final Link link;
    private final Recorder recorder;
    /// Of packets on a route. A message is rounded as a whole, so that 256 bytes at 256 GB/s are 1 ns; for routes that would move the calibrated figures by 1e-5.
    private final long perByte;
    private final long perRun;
    private final long latency;
    private final Queue<Message> waiting = new ArrayDeque<>();
    private @Nullable Ends ends;
    private int credits;
    private long freeAt;
    private long occupied;
    private long bytesIn;
    private long bytesOut;

    Wire(Link link, Recorder recorder) {
        this.link = link;
        this.recorder = recorder;
        perByte = Math.max(1, Math.round(FEMTOSECONDS / link.bytesPerSecond()));
        perRun = Math.round(link.perRunPicoseconds() * OF_A_PICOSECOND);
        latency = link.latencyPicoseconds() * OF_A_PICOSECOND;
        credits = link.credits();
    }

    String name() {
        return link.name();
    }

    boolean isConnected() {
        return ends != null;
    }

    void connect(Ends both) {
        ends = both;
    }

    Ends ends() {
        if (ends == null) {
            throw new IllegalStateException("link " + link.name() + " joins no two components");
        }
        return ends;
    }

    /// Whether messages wait for a credit.
    boolean isStarved() {
        return !waiting.isEmpty();
    }

    Outcome.LinkUse use() {
        return new Outcome.LinkUse(link.name(), bytesIn, bytesOut, occupied / OF_A_PICOSECOND);
    }

    /// A packet passes the route cut-through: it occupies each link from when its head is there and the link is free.
    ///
    /// @return picosecond at which its last byte has arrived
    static long carry(Wire[] route, long now, long bytes, long runBytes) {
        long head = now * OF_A_PICOSECOND;
        long tail = head;
        for (Wire wire : route) {
            head = wire.occupy(head, bytes, bytes * wire.perByte + wire.runs(bytes, runBytes)) + wire.latency;
            tail = Math.max(tail, wire.freeAt) + wire.latency;
        }
        return picoseconds(tail);
    }

    /// Whole picoseconds that are not before.
    private static long picoseconds(long femtoseconds) {
        return (femtoseconds + OF_A_PICOSECOND - 1) / OF_A_PICOSECOND;
    }

    /// Femtoseconds for the contiguous runs that the bytes consist of.
    private long runs(long bytes, long runBytes) {
        return perRun == 0 || bytes == 0 ? 0 : bytes * perRun / runBytes;
    }

    /// @return femtosecond at which the first byte enters
    private long occupy(long head, long bytes, long occupancy) {
        long start = Math.max(head, freeAt);
        freeAt = start + occupancy;
        occupied += occupancy;
        bytesIn += bytes;
        return start;
    }

    void left(long bytes) {
        bytesOut += bytes;
    }

    /// Sends the message, or keeps it until a credit comes back.
    void enter(Message message) {
        if (credits == 0) {
            waiting.add(message);
        } else {
            transmit(message);
        }
    }

    private void transmit(Message message) {
        if (link.credits() != Link.UNLIMITED) {
            credits--;
        }
        Node to = ends().to();
        long occupancy = Math.round(message.bytes() * (FEMTOSECONDS / link.bytesPerSecond()))
                + runs(message.bytes(), message.runBytes());
        long start = occupy(to.now() * OF_A_PICOSECOND, message.bytes(), occupancy);
        long end = picoseconds(freeAt);
        to.schedule(end + link.latencyPicoseconds(), new Event.Arrival(this, message, picoseconds(start), end));
    }

    /// The span of a message's bytes on the link is told when it has arrived.
    void deliver(Message message, long start, long end) {
        left(message.bytes());
        if (message.bytes() > 0) {
            recorder.span(link.name(), message.label(), start, end, message.bytes(), message.correlation());
        }
        Ends both = ends();
        both.to().component().receive(both.to(), both.in(), message);
    }

    void returnCredit() {
        if (link.credits() == Link.UNLIMITED) {
            return;
        }
        Node from = ends().from();
        from.schedule(from.now() + link.latencyPicoseconds(), new Event.Credit(this));
    }

    void creditReturned() {
        if (credits >= link.credits()) {
            throw new IllegalStateException("link " + link.name() + " was returned more than its " + link.credits() + " credits");
        }
        credits++;
        if (!waiting.isEmpty()) {
            transmit(waiting.remove());
        }
    }
}
