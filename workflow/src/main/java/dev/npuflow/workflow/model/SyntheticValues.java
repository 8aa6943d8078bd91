package dev.npuflow.workflow.model;

import dev.npuflow.workflow.file.ContentHash;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Weights that no file holds: element `i` of a tensor depends on the tensor's name and on `i` alone, so any part can be made anywhere, in any order.
///
///     word = splitmix64(key(recipe/name) + (i / 4) · 0x9e3779b97f4a7c15)        four draws of 16 bits from one word
///     value = quantile[16 bits of word at 16 · (i mod 4)]                normal, sigma 0.02, bf16
///
/// The sigma is Hugging Face's `initializer_range`; norm weights are 1. The mixer is splitmix64 (S. Vigna, public domain).
final class SyntheticValues {

    /// Changes whenever a value would: it is part of cache names and fingerprints.
    ///
    /// The number is the draw of eight (1 to 8) whose greedy choices on three prompts of the llama32_1b shape are the least close calls: median top-1
    /// margins 0.19, 0.16 and 0.14, so that a gate judges more than rounding. All eight give 28 to 32 different ids in 32 steps.
    static final String RECIPE = "npuflow-synthetic-8";
    static final double SIGMA = 0.02;

    private static final short ONE = 0x3f80;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort VALUE = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final short[] quantiles = NormalTable.of(SIGMA);

    /// Elements `from` up to `to` of a tensor, bf16, into the start of `target`. `from` is a multiple of 4.
    void fill(TensorEntry tensor, long from, long to, MemorySegment target) {
        if (isNorm(tensor)) {
            for (long i = from; i < to; i++) {
                target.set(VALUE, 2 * (i - from), ONE);
            }
            return;
        }
        long key = key(tensor.name());
        long whole = from + (to - from) / 4 * 4;
        for (long i = from; i < whole; i += 4) {
            target.set(WORD, 2 * (i - from), four(key, i / 4));
        }
        for (long i = whole; i < to; i++) {
            target.set(VALUE, 2 * (i - from), (short) (four(key, i / 4) >>> 16 * (i % 4)));
        }
    }

    private long four(long key, long word) {
        long bits = mix(key + word * GOLDEN);
        return quantiles[(int) bits & 0xffff] & 0xffffL | (quantiles[(int) (bits >>> 16) & 0xffff] & 0xffffL) << 16
                | (quantiles[(int) (bits >>> 32) & 0xffff] & 0xffffL) << 32 | (long) quantiles[(int) (bits >>> 48)] << 48;
    }

    private static long mix(long state) {
        long z = (state ^ state >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    private static long key(String name) {
        return ByteBuffer.wrap(ContentHash.sha256().digest((RECIPE + "/" + name).getBytes(StandardCharsets.UTF_8))).getLong();
    }

    /// The vectors among the weights are norms; a bias is a vector too and is drawn.
    private static boolean isNorm(TensorEntry tensor) {
        return tensor.shape().size() == 1 && tensor.name().endsWith(".weight");
    }
}
