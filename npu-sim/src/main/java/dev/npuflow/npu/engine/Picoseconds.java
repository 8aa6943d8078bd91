package dev.npuflow.npu.engine;

import java.util.stream.Stream;

/// A span of simulated time. Whole picoseconds, so that sums are exact; what people and programs read is made here and nowhere else.
public record Picoseconds(long value) implements Comparable<Picoseconds> {

    public static final Picoseconds ZERO = new Picoseconds(0);

    private static final double IN_A_MICROSECOND = 1e6;
    private static final double IN_A_MILLISECOND = 1e9;
    private static final double IN_A_SECOND = 1e12;

    /// How long an amount takes, to the nearest picosecond.
    ///
    /// @param rate of the same unit a second, such as bytes or cycles
    public static Picoseconds of(double amount, double rate) {
        return new Picoseconds(Math.round(amount * IN_A_SECOND / rate));
    }

    /// To the nearest picosecond.
    public static Picoseconds ofMicroseconds(double microseconds) {
        return new Picoseconds(Math.round(microseconds * IN_A_MICROSECOND));
    }

    public static Picoseconds sum(Stream<Picoseconds> parts) {
        return new Picoseconds(parts.mapToLong(Picoseconds::value).sum());
    }

    public Picoseconds plus(Picoseconds other) {
        return new Picoseconds(value + other.value);
    }

    public Picoseconds minus(Picoseconds other) {
        return new Picoseconds(value - other.value);
    }

    public Picoseconds times(long factor) {
        return new Picoseconds(value * factor);
    }

    public double microseconds() {
        return value / IN_A_MICROSECOND;
    }

    public double milliseconds() {
        return value / IN_A_MILLISECOND;
    }

    public double seconds() {
        return value / IN_A_SECOND;
    }

    @Override public int compareTo(Picoseconds other) {
        return Long.compare(value, other.value);
    }
}
