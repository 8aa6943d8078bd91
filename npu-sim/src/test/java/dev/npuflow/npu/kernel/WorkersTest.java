package dev.npuflow.npu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Test
    void every_block_is_run_exactly_once() {
        try (Workers workers = new Workers(3)) {
            for (int blocks : new int[] {0, 1, 2, 3, 7, 1000}) {
                AtomicIntegerArray counts = new AtomicIntegerArray(1001);
                workers.run(blocks, counts::incrementAndGet);
                for (int i = 0; i < counts.length(); i++) {
                    assertEquals(i < blocks ? 1 : 0, counts.get(i), "block " + i + " of " + blocks);
                }
            }
        }
    }

    @Test
    void a_failure_in_a_block_reaches_the_caller_and_the_workers_live_on() {
        try (Workers workers = new Workers(2)) {
            assertEquals("block 9", assertThrows(IllegalStateException.class, () -> workers.run(10, block -> {
                if (block == 9) {
                    throw new IllegalStateException("block 9");
                }
            })).getMessage());
            AtomicIntegerArray counts = new AtomicIntegerArray(10);
            workers.run(10, counts::incrementAndGet);
            assertEquals(1, counts.get(9));
        }
    }

    @Test
    void closed_workers_take_no_task() {
        Workers workers = new Workers(2);
        workers.close();
        assertThrows(IllegalStateException.class, () -> workers.run(2, block -> {}));
    }
}
