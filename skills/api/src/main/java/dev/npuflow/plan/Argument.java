package dev.npuflow.plan;

import java.util.List;

/// One argument of an NPU call: a slot of the ELF, backed by one buffer object per key.
///
/// @param name     unique within the call
/// @param shape    extents, row-major, inner last; all positive
/// @param readBack whether the host reads it back after each run
public record Argument(String name, List<Integer> shape, DataType dataType, Source source, Transfer transfer, boolean readBack) {

    public Argument {
        shape = List.copyOf(shape);
        if (shape.isEmpty() || shape.stream().anyMatch(extent -> extent <= 0)) {
            throw new IllegalArgumentException("argument %s: shape %s has no positive extents".formatted(name, shape));
        }
        if (source instanceof Source.Packed packed) {
            long elements = shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
            if (packed.sizes().stream().mapToLong(Integer::longValue).sum() != elements) {
                throw new IllegalArgumentException("argument %s: %d elements, packed sizes %s".formatted(name, elements, packed.sizes()));
            }
        }
    }

    public long elements() {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }

    public long bytes() {
        return Math.multiplyExact(elements(), dataType.bytes());
    }

    public Argument withTransfer(Transfer changed) {
        return new Argument(name, shape, dataType, source, changed, readBack);
    }

    public Argument withReadBack(boolean changed) {
        return new Argument(name, shape, dataType, source, transfer, changed);
    }

    public Argument withName(String changed) {
        return new Argument(changed, shape, dataType, source, transfer, readBack);
    }
}
