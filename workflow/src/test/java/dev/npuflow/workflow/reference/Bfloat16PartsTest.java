package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class Bfloat16PartsTest {

    private static final int COLUMNS = 7;

    @Test void three_bf16_values_hold_a_whole_fp32() {
        Random random = new Random(3);
        float[] x = new float[3 * COLUMNS];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (random.nextGaussian() * Math.pow(2, random.nextInt(40) - 20));
        }
        float[] parts = Bfloat16Parts.of(x, COLUMNS);
        for (int position = 0; position < 3; position++) {
            for (int column = 0; column < COLUMNS; column++) {
                double sum = 0;
                for (int part = 0; part < Bfloat16Parts.COUNT; part++) {
                    float value = parts[(Bfloat16Parts.COUNT * position + part) * COLUMNS + column];
                    assertEquals(Bfloat16.round(value), value);
                    sum += value;
                }
                assertEquals(x[position * COLUMNS + column], sum);
            }
        }
    }

    /// Two positions of two rows: products of high, middle and low lie behind each other.
    @Test void products_of_the_parts_of_a_position_are_added() {
        float[] products = {1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60};
        float[] sums = Bfloat16Parts.sum(products, 2);
        assertEquals(4, sums.length);
        assertEquals(6, sums[0]);
        assertEquals(60, sums[1]);
        assertEquals(15, sums[2]);
        assertEquals(150, sums[3]);
    }
}
