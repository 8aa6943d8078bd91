package dev.npuflow.workflow.model;

import dev.npuflow.workflow.model.safetensors.ElementType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The values of one stored tensor that no model can compute with, counted.
///
/// @param tensor     name, as the file spells it
/// @param file       name of the file
/// @param nan        values that are NaN
/// @param infinite   values that are infinite
/// @param beyondBf16 fp32 values that are finite and round to infinity in bf16, which the engines compute in
/// @param first      index of the first bad value, one entry a dimension: row and column of a matrix
/// @param firstValue the value there
public record BadValues(String tensor, String file, ElementType type, List<Long> shape, long nan, long infinite, long beyondBf16, List<Long> first,
        float firstValue) {

    public BadValues {
        shape = List.copyOf(shape);
        first = List.copyOf(first);
    }

    /// Such as `2 NaN, 1 infinite, first at [3, 17]`.
    public String text() {
        String counts = Stream.of(nan > 0 ? nan + " NaN" : "", infinite > 0 ? infinite + " infinite" : "", beyondBf16 > 0 ? beyondBf16 + " beyond bf16" : "")
                .filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
        return "%s, first at %s".formatted(counts, first);
    }

    /// The first one in words, such as `NaN at row 3, column 17`.
    String firstText() {
        String where = first.size() == 2 ? "row %d, column %d".formatted(first.get(0), first.get(1)) : "index %s".formatted(first.stream().map(String::valueOf)
                .collect(Collectors.joining(", ")));
        return "%s at %s%s".formatted(Float.isNaN(firstValue) ? "NaN" : String.valueOf(firstValue), where,
                Float.isFinite(firstValue) ? ", which is infinite in bf16" : "");
    }
}
