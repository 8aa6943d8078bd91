package dev.npuflow.workflow.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/// Rounding to bf16, to nearest even: the one conversion that F32 and F16 checkpoints go through.
///
///     f32   s eeeeeeee mmmmmmm|mmmmmmmmmmmmmmmm     the bar is where bf16 ends
///                            ^ odd: a half rounds up
final class Bf16 {

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long CHUNK = 1 << 20;

    private Bf16() {}

    /// @param bits of an fp32; the largest finite ones become infinity, a NaN stays a NaN whatever its payload
    static short round(int bits) {
        if ((bits & 0x7fff_ffff) > 0x7f80_0000) {
            return (short) (bits >>> 16 | 0x40);
        }
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    /// `count` fp32 values of `from` into bf16 values of `to`; both little-endian.
    static void roundF32(MemorySegment from, MemorySegment to, long count) {
        inChunks(count, index -> to.set(SHORT, 2 * index, round(from.get(INT, 4 * index))));
    }

    /// `count` fp16 values of `from`, each exact in fp32 before it is rounded, into bf16 values of `to`.
    static void roundF16(MemorySegment from, MemorySegment to, long count) {
        inChunks(count, index -> to.set(SHORT, 2 * index, round(Float.floatToRawIntBits(Float.float16ToFloat(from.get(SHORT, 2 * index))))));
    }

    private static void inChunks(long count, LongConsumer element) {
        LongStream.range(0, Math.ceilDiv(count, CHUNK)).parallel().forEach(chunk -> {
            for (long index = chunk * CHUNK; index < Math.min(count, (chunk + 1) * CHUNK); index++) {
                element.accept(index);
            }
        });
    }
}
