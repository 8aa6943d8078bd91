package dev.npuflow.npu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PicosecondsTest {

    @Test void a_time_is_told_in_the_unit_that_is_asked_for() {
        Picoseconds time = new Picoseconds(1_234_567_890_000L);
        assertEquals(1.23456789, time.seconds());
        assertEquals(1_234.56789, time.milliseconds());
        assertEquals(1_234_567.89, time.microseconds());
    }

    /// 4096 bytes at 57.55 GB/s are 71,172.9 ps.
    @Test void an_amount_at_a_rate_takes_whole_picoseconds() {
        assertEquals(new Picoseconds(71_173), Picoseconds.of(4096, 57.55e9));
        assertEquals(new Picoseconds(64_000), Picoseconds.of(64, 1e9));
        assertEquals(new Picoseconds(1_500_000), Picoseconds.ofMicroseconds(1.5));
    }

    @Test void sums_are_exact_where_those_of_seconds_would_not_be() {
        assertEquals(new Picoseconds(9_007_199_254_740_994L), new Picoseconds(9_007_199_254_740_993L).plus(new Picoseconds(1)));
        assertEquals(new Picoseconds(6), Picoseconds.sum(Stream.of(new Picoseconds(1), new Picoseconds(2), new Picoseconds(3))));
        assertEquals(new Picoseconds(14), new Picoseconds(9).minus(new Picoseconds(2)).times(2));
        assertTrue(new Picoseconds(2).compareTo(new Picoseconds(3)) < 0);
    }
}
