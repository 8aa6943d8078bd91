package dev.npuflow.workflow.model;

import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.model.safetensors.ElementType;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/// Reads the values of stored tensors over, chunk by chunk where the file is mapped: no copy of a tensor is made.
final class TensorValues {

    /// The types that a model can be run from, and so be read over.
    static final Set<ElementType> READ = EnumSet.of(ElementType.BF16, ElementType.F16, ElementType.F32);

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long CHUNK = 1 << 20;
    private static final int BF16_EXPONENT = 0x7f80;

    private TensorValues() {}

    /// How many values of a chunk are bad, by kind, and the first of them; −1 if there is none.
    private record Count(long nan, long infinite, long beyondBf16, long first) {
        Count plus(Count later) {
            return new Count(nan + later.nan, infinite + later.infinite, beyondBf16 + later.beyondBf16, first >= 0 ? first : later.first);
        }
    }

    /// Empty if every value is finite, and stays so in bf16. The type is one of [#READ].
    static Optional<BadValues> bad(SafetensorsFile file, TensorEntry entry) {
        MemorySegment bytes = file.bytes(entry);
        long count = bytes.byteSize() / (entry.type().bits() / 8);
        Count all = LongStream.range(0, Math.ceilDiv(count, CHUNK)).parallel()
                .mapToObj(chunk -> count(bytes, entry.type(), chunk * CHUNK, Math.min(count, (chunk + 1) * CHUNK)))
                .reduce(new Count(0, 0, 0, -1), Count::plus);
        return all.first() < 0 ? Optional.empty() : Optional.of(new BadValues(entry.name(), InputFile.name(file.path()), entry.type(), entry.shape(), all.nan(),
                all.infinite(), all.beyondBf16(), index(all.first(), entry.shape()), value(bytes, entry.type(), all.first())));
    }

    private static Count count(MemorySegment bytes, ElementType type, long from, long to) {
        long nan = 0;
        long infinite = 0;
        long beyond = 0;
        long first = -1;
        for (long index = from; index < to; index++) {
            if (suspect(bytes, type, index)) {
                float value = value(bytes, type, index);
                nan += Float.isNaN(value) ? 1 : 0;
                infinite += Float.isInfinite(value) ? 1 : 0;
                beyond += Float.isFinite(value) ? 1 : 0;
                first = first < 0 ? index : first;
            }
        }
        return new Count(nan, infinite, beyond, first);
    }

    /// Whether rounding to bf16 gives all ones in the exponent: a NaN, an infinity, or an fp32 value that is too large.
    private static boolean suspect(MemorySegment bytes, ElementType type, long index) {
        return switch (type) {
            case BF16 -> (bytes.get(SHORT, 2 * index) & BF16_EXPONENT) == BF16_EXPONENT;
            case F16 -> (bytes.get(SHORT, 2 * index) & 0x7c00) == 0x7c00;
            case F32 -> (Bf16.round(bytes.get(INT, 4 * index)) & BF16_EXPONENT) == BF16_EXPONENT;
            case ElementType other -> throw new IllegalArgumentException(other + " is not read over");
        };
    }

    private static float value(MemorySegment bytes, ElementType type, long index) {
        return switch (type) {
            case BF16 -> Float.intBitsToFloat(bytes.get(SHORT, 2 * index) << 16);
            case F16 -> Float.float16ToFloat(bytes.get(SHORT, 2 * index));
            case F32 -> Float.intBitsToFloat(bytes.get(INT, 4 * index));
            case ElementType other -> throw new IllegalArgumentException(other + " is not read over");
        };
    }

    /// Row-major: of a matrix row and column.
    private static List<Long> index(long position, List<Long> shape) {
        List<Long> index = new ArrayList<>();
        long rest = position;
        for (long extent : shape.reversed()) {
            index.addFirst(rest % extent);
            rest /= extent;
        }
        return index;
    }
}
