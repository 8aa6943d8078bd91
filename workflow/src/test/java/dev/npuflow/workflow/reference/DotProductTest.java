package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DotProductTest {

    private static final ValueLayout.OfShort BFLOAT16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final List<DotProduct> PROVIDERS = List.of(new ScalarDotProduct(), new Vector256DotProduct(), new Vector512DotProduct());

    @Test void every_provider_sums_in_the_stated_order_at_every_length() {
        IntStream.concat(IntStream.rangeClosed(1, 200), IntStream.of(255, 256, 257, 2047, 2048, 2049, 8192)).forEach(length -> {
            Random random = new Random(length);
            float[] w = randomBfloat16(random, length);
            float[] x = randomBfloat16(random, length);
            float expected = inStatedOrder(w, x);
            PackedRows packed = PackedRows.of(x, 1, length);
            for (DotProduct provider : PROVIDERS) {
                float dot = provider.dot(segment(w, 0), 0, packed.pairs(), 0, length);
                assertEquals(Float.floatToRawIntBits(expected), Float.floatToRawIntBits(dot), provider.name() + " at length " + length);
            }
            assertEquals(expected, PartialSums.dot(w, 0, x, 0, length, new float[PartialSums.COUNT]));
        });
    }

    @Test void the_order_matters_on_this_data() {
        Random random = new Random(2048);
        float[] w = randomBfloat16(random, 2048);
        float[] x = randomBfloat16(random, 2048);
        float sequential = 0;
        for (int k = 0; k < w.length; k++) {
            sequential += w[k] * x[k];
        }
        assertNotEquals(sequential, inStatedOrder(w, x));
    }

    @Test void huge_and_tiny_products_are_the_same_in_every_provider() {
        float[] w = {1e-30f, 3e38f, -1e-38f, 1e20f, -3e38f, 0f, -0f};
        float[] x = {1e-15f, 2f, 1e-5f, 1e-20f, 2f, -1f, 1f};
        for (int length = 1; length <= w.length; length++) {
            float[] packed = rounded(java.util.Arrays.copyOf(x, length));
            float[] weights = rounded(java.util.Arrays.copyOf(w, length));
            int expected = Float.floatToIntBits(inStatedOrder(weights, packed));
            for (DotProduct provider : PROVIDERS) {
                float dot = provider.dot(segment(weights, 0), 0, PackedRows.of(packed, 1, length).pairs(), 0, length);
                assertEquals(expected, Float.floatToIntBits(dot), provider.name());
            }
        }
    }

    @Test void a_tile_equals_four_single_dot_products() {
        for (int columns : new int[] {64, 96, 192, 2048}) {
            Random random = new Random(columns);
            float[] w = randomBfloat16(random, 2 * columns);
            float[] x = randomBfloat16(random, 2 * columns);
            PackedRows packed = PackedRows.of(x, 2, columns);
            MemorySegment weights = segment(w, 2);
            for (DotProduct provider : PROVIDERS) {
                Tile tile = Tile.empty();
                provider.dotTwoByTwo(weights, 2, packed.pairs(), 0, packed.stride(), columns, tile);
                for (int i = 0; i < 4; i++) {
                    float alone = PROVIDERS.getFirst().dot(weights, 2 + i / 2 * 2L * columns, packed.pairs(), i % 2 * packed.stride(), columns);
                    assertEquals(alone, tile.results()[i], provider.name());
                }
            }
        }
    }

    @Test void the_scalar_provider_announces_itself() {
        DotProducts without = DotProducts.choose(false);
        assertEquals("scalar", without.provider().name());
        assertTrue(without.notice().orElseThrow().contains("try NPUFLOW_JAVA_OPTS='--add-modules jdk.incubator.vector'"));
    }

    @Test void a_vector_provider_announces_nothing() {
        DotProducts chosen = DotProducts.choose();
        assertEquals(chosen.provider() instanceof ScalarDotProduct, chosen.notice().isPresent());
    }

    /// The contract once more, written the slow way.
    private static float inStatedOrder(float[] w, float[] x) {
        float[] p = new float[64];
        for (int k = 0; k < w.length; k++) {
            p[k % 64] = Math.fma(w[k], x[k], p[k % 64]);
        }
        float[] t = new float[16];
        for (int i = 0; i < 16; i++) {
            t[i] = (p[2 * i] + p[2 * i + 1]) + (p[2 * i + 32] + p[2 * i + 33]);
        }
        float[] u = new float[4];
        for (int i = 0; i < 4; i++) {
            u[i] = (t[i] + t[i + 8]) + (t[i + 4] + t[i + 12]);
        }
        return (u[0] + u[2]) + (u[1] + u[3]);
    }

    private static float[] randomBfloat16(Random random, int length) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = Bfloat16.round((float) random.nextGaussian());
        }
        return values;
    }

    private static float[] rounded(float[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = Bfloat16.round(values[i]);
        }
        return values;
    }

    private static MemorySegment segment(float[] values, int offset) {
        MemorySegment segment = Arena.ofAuto().allocate(offset + 2L * values.length, 64);
        for (int i = 0; i < values.length; i++) {
            segment.set(BFLOAT16, offset + 2L * i, Bfloat16.bits(values[i]));
        }
        return segment;
    }
}
