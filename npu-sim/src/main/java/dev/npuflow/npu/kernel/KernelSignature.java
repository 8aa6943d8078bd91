package dev.npuflow.npu.kernel;

import java.util.List;
import java.util.SortedMap;
import java.util.function.ToLongFunction;

/// What a launch of a kernel has to state on every machine: ports, extents and constants (`docs/kernels.md`).
///
/// @param ports         in the order of the documentation
/// @param shape         required extents
/// @param optionalShape extents that may be left out
/// @param constants     required constants
public record KernelSignature(List<Port> ports, List<String> shape, List<String> optionalShape, List<String> constants) {

    /// The extent that says how many token positions the rows stand for.
    public static final String POSITIONS = "positions";

    public KernelSignature {
        ports = List.copyOf(ports);
        shape = List.copyOf(shape);
        optionalShape = List.copyOf(optionalShape);
        constants = List.copyOf(constants);
    }

    /// @param elements    the number of bf16 elements behind the port, from the shape
    /// @param perPosition whether they are rows of token positions, position by position, rather than the same for all
    public record Port(String name, PortDirection direction, ToLongFunction<SortedMap<String, Integer>> elements, boolean perPosition) {

        /// The leading elements that a run with `active` real positions touches.
        public long activeElements(SortedMap<String, Integer> shape, int active) {
            long all = elements.applyAsLong(shape);
            return perPosition ? active(all, shape, active) : all;
        }
    }

    /// Of `total` rows or elements those of the first `active` positions; all of them where the shape has no `positions`.
    public static long active(long total, SortedMap<String, Integer> shape, int active) {
        Integer positions = shape.get(POSITIONS);
        return positions == null ? total : total / positions * Math.min(active, positions);
    }

    public static Port reads(String name, ToLongFunction<SortedMap<String, Integer>> elements) {
        return new Port(name, PortDirection.READ, elements, false);
    }

    public static Port readsRows(String name, ToLongFunction<SortedMap<String, Integer>> elements) {
        return new Port(name, PortDirection.READ, elements, true);
    }

    public static Port writesRows(String name, ToLongFunction<SortedMap<String, Integer>> elements) {
        return new Port(name, PortDirection.WRITE, elements, true);
    }

    /// The product of extents.
    public static ToLongFunction<SortedMap<String, Integer>> product(String first, String... others) {
        return shape -> {
            long elements = shape.get(first);
            for (String other : others) {
                elements = Math.multiplyExact(elements, shape.get(other));
            }
            return elements;
        };
    }
}
