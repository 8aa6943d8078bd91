package dev.npuflow.npu.compiler;

import dev.npuflow.npu.kernel.KernelSignature.Port;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// An ELF under construction for a test, every port bound to an argument of its own. Extents and tiles as `m=8;k=64`.
final class Elf {

    static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    private final List<LaunchDescription> launches = new ArrayList<>();
    private final List<ArgumentDescription> arguments = new ArrayList<>();
    private boolean pingPong;
    private int tiling = 1;

    Elf pingPong(boolean on) {
        pingPong = on;
        return this;
    }

    Elf tiling(int factor) {
        tiling = factor;
        return this;
    }

    Elf launch(String kernel, String symbol, String shape, String tile, int columns, int rows) {
        TreeMap<String, Integer> extents = numbers(shape);
        TreeMap<String, PortBinding> ports = new TreeMap<>();
        for (Port port : Kernels.byId(new KernelId(kernel)).orElseThrow().signature().ports()) {
            long elements = port.elements().applyAsLong(extents);
            ports.put(port.name(), new PortBinding(arguments.size(), 0, elements));
            arguments.add(new ArgumentDescription(port.name() + arguments.size(), 2 * elements));
        }
        TreeMap<String, Double> constants = new TreeMap<>();
        if (Kernels.byId(new KernelId(kernel)).orElseThrow().signature().constants().contains("epsilon")) {
            constants.put("epsilon", 1e-5);
        }
        launches.add(new LaunchDescription(kernel + launches.size(), new KernelId(kernel), symbol, extents, constants, columns, rows, numbers(tile), ports));
        return this;
    }

    Elf gemv(int m, int k, int tile, int input, int herd) {
        return launch("gemv", "mv", "m=%d;k=%d".formatted(m, k), "tile_m=%d;m_input=%d".formatted(tile, input), herd, 1);
    }

    ElfDescription description() {
        return new ElfDescription("elf", launches, arguments, pingPong, tiling);
    }

    Compilation compile() {
        return Compiler.compile(description(), NPU2);
    }

    List<Blocker> blockers() {
        return blockers(compile());
    }

    static List<Blocker> blockers(Compilation compilation) {
        return switch (compilation) {
            case Compilation.Built built -> List.of();
            case Compilation.Refused refused -> refused.blockers();
        };
    }

    /// Names of the limits that the ELF breaks.
    List<String> limits() {
        return blockers().stream().map(Blocker::limit).toList();
    }

    /// The text of the one limit of that name.
    String message(String limit) {
        return blockers().stream().filter(b -> b.limit().equals(limit)).findFirst().orElseThrow().message();
    }

    private static TreeMap<String, Integer> numbers(String text) {
        TreeMap<String, Integer> numbers = new TreeMap<>();
        for (String entry : text.isEmpty() ? new String[0] : text.split(";")) {
            String[] sides = entry.split("=");
            numbers.put(sides[0], Integer.parseInt(sides[1]));
        }
        return numbers;
    }
}
