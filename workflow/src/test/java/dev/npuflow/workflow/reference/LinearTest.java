package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.workflow.model.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinearTest {

    @Test void multiplies_rows_of_weights_and_adds_the_bias_before_rounding() {
        Linear linear = new Linear(tensor(2, 2, 1f, 2f, 3f, 4f), Optional.of(new float[] {0.5f, 1f / 128}));
        try (WorkerPool workers = new WorkerPool(1)) {
            float[] out = linear.apply(new float[] {1f, 0.5f / 128}, 1, new Arithmetic(new ScalarDotProduct(), workers, Precision.BF16));
            assertArrayEquals(new float[] {Bfloat16.round(1.5f + 1f / 128), Bfloat16.round(3f + 3f / 128)}, out);
        }
    }

    @Test void shows_the_product_without_the_bias_rounded_once() {
        Linear linear = new Linear(tensor(1, 2, 1f, 1f), Optional.of(new float[] {-1f}));
        try (WorkerPool workers = new WorkerPool(1)) {
            float[] sums = linear.sums(new float[] {1f, 1f / 256}, 1, new Arithmetic(new ScalarDotProduct(), workers, Precision.BF16));
            assertArrayEquals(new float[] {1f}, Linear.unbiased(sums, Precision.BF16), "1 + 1/256 lies half way, and 1 is the even neighbour");
            assertArrayEquals(new float[] {1f / 256}, linear.finish(sums, Precision.BF16), "the bias is added to what was not rounded");
        }
    }

    /// Odd counts on purpose: a row and a position without a partner, more positions than a block holds.
    @ParameterizedTest @CsvSource({"7,192,3", "130,64,2", "65,100,5", "129,2048,67"})
    void positions_at_once_equal_positions_one_by_one_in_every_bit(int rows, int columns, int positions) {
        Random random = new Random(rows);
        Linear linear = new Linear(tensor(rows, columns, values(random, rows * columns)), Optional.of(values(random, rows)));
        float[] x = values(random, positions * columns);
        try (WorkerPool one = new WorkerPool(1); WorkerPool three = new WorkerPool(3)) {
            Arithmetic scalar = new Arithmetic(new ScalarDotProduct(), one, Precision.BF16);
            Arithmetic wide = new Arithmetic(new Vector512DotProduct(), three, Precision.BF16);
            float[] atOnce = linear.apply(x, positions, wide);
            for (int position = 0; position < positions; position++) {
                float[] alone = linear.apply(Arrays.copyOfRange(x, position * columns, (position + 1) * columns), 1, scalar);
                for (int row = 0; row < rows; row++) {
                    assertEquals(alone[row], atOnce[position * rows + row]);
                }
            }
        }
    }

    private static float[] values(Random random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = Bfloat16.round((float) random.nextGaussian());
        }
        return values;
    }

    private static Tensor tensor(int rows, int columns, float... values) {
        MemorySegment data = Arena.ofAuto().allocate(2L * rows * columns, 64);
        for (int i = 0; i < values.length; i++) {
            data.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN), 2L * i, Bfloat16.bits(values[i]));
        }
        return new Tensor("weight", rows, columns, data);
    }
}
