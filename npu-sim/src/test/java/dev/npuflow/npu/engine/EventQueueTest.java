package dev.npuflow.npu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    @Test void random_events_leave_in_the_order_of_time_rank_and_sequence() {
        Random random = new Random(7);
        EventQueue queue = new EventQueue(4);
        int count = 20_000;
        long[][] events = new long[count][];
        for (int event = 0; event < count; event++) {
            long time = random.nextBoolean() ? random.nextInt(1000) : random.nextLong(500_000_000L);
            events[event] = new long[] {time, random.nextInt(8), event, event};
            queue.schedule(time, (int) events[event][1], event, event);
        }
        Arrays.sort(events, Comparator.<long[]>comparingLong(e -> e[0]).thenComparingLong(e -> e[1]).thenComparingLong(e -> e[2]));
        for (long[] event : events) {
            assertEquals(event[3], queue.poll());
            assertEquals(event[0], queue.now());
        }
        assertTrue(queue.isEmpty());
    }

    @Test void events_scheduled_while_polling_keep_the_order_across_wheel_turns() {
        Random random = new Random(11);
        EventQueue queue = new EventQueue(64);
        for (int event = 0; event < 64; event++) {
            queue.schedule(random.nextInt(100), event, 0, event);
        }
        long last = 0;
        for (int step = 0; step < 200_000; step++) {
            int event = queue.poll();
            assertTrue(queue.now() >= last);
            last = queue.now();
            queue.schedule(last + random.nextInt(step % 100 == 0 ? 500_000_000 : 3_000_000), event, 0, event);
        }
        assertEquals(64, queue.size());
    }

    @Test void an_event_before_now_is_refused() {
        EventQueue queue = new EventQueue(1);
        queue.schedule(100, 0, 0, 0);
        queue.poll();
        assertThrows(IllegalArgumentException.class, () -> queue.schedule(99, 0, 0, 0));
    }
}
