package dev.npuflow.workflow.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopKTest {

    @Test void the_best_come_first_and_the_smaller_id_first_among_equals() {
        assertEquals(List.of(3, 1, 4), TopK.of(new float[] {0, 2, -5, 9, 2, 2}, 3));
    }

    @Test void a_tie_at_the_cut_keeps_the_smallest_ids() {
        assertEquals(List.of(0, 1, 2, 3, 4), TopK.of(new float[2000], 5));
    }

    @Test void agrees_with_a_full_sort_on_random_logits_with_many_ties() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            float[] logits = new float[1 + random.nextInt(60)];
            for (int i = 0; i < logits.length; i++) {
                logits[i] = random.nextInt(9) - 4;
            }
            int k = 1 + random.nextInt(logits.length);
            List<Integer> sorted = IntStream.range(0, logits.length).boxed()
                    .sorted(Comparator.<Integer>comparingDouble(id -> -logits[id]).thenComparing(id -> id)).limit(k).toList();
            assertEquals(sorted, TopK.of(logits, k));
        }
    }

    @Test void nan_stands_behind_every_number() {
        assertEquals(List.of(2, 1), TopK.of(new float[] {Float.NaN, Float.NEGATIVE_INFINITY, 1, Float.NaN}, 2));
    }

    @Test void a_k_above_the_vocabulary_is_refused() {
        NpuflowException fault = assertThrows(NpuflowException.class, () -> TopK.of(new float[4], 5));
        assertEquals("NPF-501", fault.id());
    }

    @Test void logits_that_are_not_finite_or_all_equal_are_faults_and_others_are_not() {
        assertEquals(Optional.of(LogitFault.NON_FINITE), Logits.fault(new float[] {1, Float.NaN, 2}));
        assertEquals(Optional.of(LogitFault.NON_FINITE), Logits.fault(new float[] {1, Float.NEGATIVE_INFINITY}));
        assertEquals(Optional.of(LogitFault.CONSTANT), Logits.fault(new float[] {0, -0f, 0}));
        assertEquals(Optional.empty(), Logits.fault(new float[] {0, 0, Float.MIN_VALUE}));
    }
}
