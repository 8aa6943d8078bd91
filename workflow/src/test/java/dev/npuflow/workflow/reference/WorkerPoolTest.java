package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerPoolTest {

    @ParameterizedTest @ValueSource(ints = {1, 2, 3, 8})
    void every_chunk_runs_once_in_every_job(int threads) {
        try (WorkerPool pool = new WorkerPool(threads)) {
            int[] runs = new int[100];
            for (int job = 0; job < 1000; job++) {
                pool.forEach(runs.length, chunk -> runs[chunk]++);
            }
            int[] expected = new int[100];
            Arrays.fill(expected, 1000);
            assertArrayEquals(expected, runs);
        }
    }

    @Test void a_fault_of_a_chunk_reaches_the_caller_after_the_others_ran() {
        try (WorkerPool pool = new WorkerPool(2)) {
            int[] runs = new int[10];
            assertThrows(IllegalArgumentException.class, () -> pool.forEach(10, chunk -> {
                runs[chunk]++;
                if (chunk == 3) {
                    throw new IllegalArgumentException("chunk 3");
                }
            }));
            assertEquals(10, Arrays.stream(runs).sum());
            pool.forEach(10, chunk -> runs[chunk]++);
            assertEquals(20, Arrays.stream(runs).sum());
        }
    }

    @Test void a_pool_without_chunks_does_nothing() {
        try (WorkerPool pool = new WorkerPool(2)) {
            pool.forEach(0, chunk -> {
                throw new IllegalStateException("chunk " + chunk);
            });
        }
    }
}
