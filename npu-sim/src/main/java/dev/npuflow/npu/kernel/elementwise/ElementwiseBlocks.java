package dev.npuflow.npu.kernel.elementwise;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Walks two inputs and an output, computing in fp32 and rounding once.
public record ElementwiseBlocks(MemorySegment first, MemorySegment second, MemorySegment out, int elements, Function function) {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int BLOCK = 2048;

    /// One element.
    @FunctionalInterface
    public interface Function {
        float apply(float first, float second);
    }

    public void compute(Workers workers) {
        workers.run(Math.ceilDiv(elements, BLOCK), this::block);
    }

    private void block(int block) {
        long end = Math.min(elements, (block + 1L) * BLOCK);
        for (long i = (long) block * BLOCK; i < end; i++) {
            float value = function.apply(Bfloat16.toFloat(first.get(ELEMENT, 2 * i)), Bfloat16.toFloat(second.get(ELEMENT, 2 * i)));
            out.set(ELEMENT, 2 * i, Bfloat16.fromFloat(value));
        }
    }
}
