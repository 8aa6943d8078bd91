package dev.npuflow.plan;

import java.util.List;

/// Where an argument's host value comes from.
public sealed interface Source {

    /// Rows `firstRow` to `firstRow + rows` (exclusive) of a weight tensor, row-major, (out, in). In `tensor` the text `{layer}` stands for
    /// the layer's number.
    record Weight(String tensor, int firstRow, int rows) implements Source {
        public Weight {
            if (firstRow < 0 || rows <= 0 || firstRow > Integer.MAX_VALUE - rows) {
                throw new IllegalArgumentException("weight %s: rows %d to %d + %d".formatted(tensor, firstRow, firstRow, rows));
            }
        }
    }

    /// Several weights of equal shape whose rows alternate: row 0 of each, then row 1 of each …
    record InterleavedWeights(List<Weight> weights) implements Source {
        public InterleavedWeights {
            weights = List.copyOf(weights);
        }
    }

    /// A value that host operations and calls hand to each other by name; a call that reads back writes it.
    record Activation(String value) implements Source {}

    /// A table that the host computes for each position, such as RoPE rows; handed over by name like an activation.
    record LookUpTable(String value) implements Source {}

    /// Nothing: memory for the device's own use.
    record Scratch() implements Source {}

    /// Parts of one argument, each with its own source, one after the other: `sizes[i]` elements from `parts[i]`.
    record Packed(List<Source> parts, List<Integer> sizes) implements Source {
        public Packed {
            parts = List.copyOf(parts);
            sizes = List.copyOf(sizes);
            if (parts.size() != sizes.size() || parts.isEmpty() || sizes.stream().anyMatch(size -> size <= 0)) {
                throw new IllegalArgumentException("%d packed parts of sizes %s".formatted(parts.size(), sizes));
            }
            if (parts.stream().anyMatch(Packed.class::isInstance)) {
                throw new IllegalArgumentException("a packed part inside a packed part");
            }
        }
    }
}
