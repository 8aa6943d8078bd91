package dev.npuflow.workflow.model;

import dev.npuflow.workflow.model.safetensors.ElementType;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// How much is stored, by data type.
///
/// @param elements  of all tensors
/// @param bytesByType of all tensors, headers not counted
public record StoredBytes(long elements, SortedMap<ElementType, Long> bytesByType) {

    public StoredBytes {
        bytesByType = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByType));
    }

    public static StoredBytes of(Collection<TensorEntry> tensors) {
        SortedMap<ElementType, Long> bytes = new TreeMap<>();
        tensors.forEach(tensor -> bytes.merge(tensor.type(), tensor.bytes(), Long::sum));
        return new StoredBytes(tensors.stream().mapToLong(StoredBytes::elements).sum(), bytes);
    }

    private static long elements(TensorEntry tensor) {
        return tensor.bytes() * 8 / tensor.type().bits();
    }

    public long bytes() {
        return bytesByType.values().stream().mapToLong(Long::longValue).sum();
    }

    /// What a run makes of tensors that are not bf16.
    public long roundedBytes() {
        return bytesByType.entrySet().stream().filter(stored -> stored.getKey() != ElementType.BF16)
                .mapToLong(stored -> stored.getValue() * ElementType.BF16.bits() / stored.getKey().bits()).sum();
    }
}
