package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.launch.KernelId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Extents or tile sizes that a user states for a kernel: all that it has and nothing else.
public final class StatedSizes {

    /// How the command writes a size.
    public enum Form {
        /// `--tile-m 8`
        OPTION,
        /// `--shape m=8`
        SHAPE,
        /// `--tile tile_m=8`
        TILE;

        private String written(String name) {
            return switch (this) {
                case OPTION -> "--" + name.replace('_', '-');
                case SHAPE -> "--shape " + name;
                case TILE -> "--tile " + name;
            };
        }

        private String example(String name) {
            return written(name) + (this == OPTION ? " 8" : "=8");
        }
    }

    private StatedSizes() {}

    /// The extents. Rows of a GEMM are positions unless it is said how many there are.
    ///
    /// @throws NpuflowException NPF-831 if one is missing, NPF-832 if one is given that the kernel does not have, NPF-833 if one is below 1
    public static SortedMap<String, Integer> shape(NamedKernel kernel, Map<String, Integer> given, Form form) {
        KernelSignature signature = kernel.form().signature();
        SortedMap<String, Integer> shape = of(kernel.id(), given, signature.shape().stream().filter(name -> !name.equals(KernelSignature.POSITIONS)).toList(),
                Stream.concat(signature.shape().stream(), signature.optionalShape().stream()).toList(), form);
        if (signature.shape().contains(KernelSignature.POSITIONS)) {
            shape.putIfAbsent(KernelSignature.POSITIONS, shape.get("m"));
        }
        return shape;
    }

    /// Tile sizes, by the names of the device.
    ///
    /// @throws NpuflowException as [#shape]
    public static SortedMap<String, Integer> tile(NamedKernel kernel, Map<String, Integer> given, List<String> names, Form form) {
        return of(kernel.id(), given, names, names, form);
    }

    private static SortedMap<String, Integer> of(KernelId kernel, Map<String, Integer> given, List<String> required, List<String> known, Form form) {
        new TreeMap<>(given).forEach((name, value) -> {
            if (!known.contains(name)) {
                throw NpuflowException.badInput("NPF-832", "%s of %s, which has no such size".formatted(form.written(name), kernel), value,
                        known.isEmpty() ? "none: it has none" : "of these: " + String.join(", ", known.stream().map(form::written).toList()),
                        NearestName.of(name, known).map(form::written).orElse("leaving it out"));
            }
            if (value < 1) {
                throw NpuflowException.badInput("NPF-833", form.written(name), value, "1 or more", form.example(name));
            }
        });
        for (String name : required) {
            if (!given.containsKey(name)) {
                throw NpuflowException.badInput("NPF-831", "%s of %s is missing".formatted(form.written(name), kernel), "every size that the kernel has",
                        form.example(name));
            }
        }
        return new TreeMap<>(given);
    }
}
