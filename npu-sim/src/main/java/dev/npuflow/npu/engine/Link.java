package dev.npuflow.npu.engine;

/// A directed edge that carries one packet or message at a time, in the order in which they arrive at it.
///
///     arrival at the link |--waits for those before--|--occupancy: bytes / rate, and each run--|--latency--| arrival at the far end
///
/// The next one occupies the link while the one before is still in its latency.
///
/// @param bytesPerSecond      above 0
/// @param perRunPicoseconds   occupancy that each contiguous run of bytes adds
/// @param latencyPicoseconds  from the last byte's leaving to its arrival; a returned credit takes as long
/// @param credits             messages that may be on the way or with the receiver before it returns a credit; [#UNLIMITED] for none
public record Link(String name, double bytesPerSecond, double perRunPicoseconds, long latencyPicoseconds, int credits) {

    public static final int UNLIMITED = Integer.MAX_VALUE;

    public Link {
        if (!(bytesPerSecond > 0) || !(perRunPicoseconds >= 0) || latencyPicoseconds < 0 || credits < 1) {
            throw new IllegalArgumentException("link %s: %s bytes/s, %s ps a run, %d ps latency, %d credits".formatted(name, bytesPerSecond,
                    perRunPicoseconds, latencyPicoseconds, credits));
        }
    }

    /// Without latency and without credits.
    public static Link of(String name, double bytesPerSecond) {
        return new Link(name, bytesPerSecond, 0, 0, UNLIMITED);
    }

    public Link withRunCost(double picoseconds) {
        return new Link(name, bytesPerSecond, picoseconds, latencyPicoseconds, credits);
    }

    public Link withLatency(long picoseconds) {
        return new Link(name, bytesPerSecond, perRunPicoseconds, picoseconds, credits);
    }

    public Link withCredits(int number) {
        return new Link(name, bytesPerSecond, perRunPicoseconds, latencyPicoseconds, number);
    }
}
