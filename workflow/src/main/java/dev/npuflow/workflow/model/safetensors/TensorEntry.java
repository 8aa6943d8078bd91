package dev.npuflow.workflow.model.safetensors;

import java.util.List;

/// One tensor of a header.
///
/// @param begin first byte, counted from the end of the header
/// @param end   the byte after the last
public record TensorEntry(String name, ElementType type, List<Long> shape, long begin, long end) {

    public TensorEntry {
        shape = List.copyOf(shape);
    }

    public long bytes() {
        return end - begin;
    }
}
