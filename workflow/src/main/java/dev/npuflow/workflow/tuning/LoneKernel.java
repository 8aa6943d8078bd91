package dev.npuflow.workflow.tuning;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature.Port;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One launch of a kernel in an ELF of its own, each port on an argument of its own.
///
/// @param id    the kernel that is launched
/// @param form  the kernel whose signature it follows: itself, but for those that are placed and timed and not computed
/// @param shape extents, as the signature names them
/// @param tile  tile sizes, as the device names them
public record LoneKernel(KernelId id, Kernel form, SortedMap<String, Integer> shape, Herd herd, SortedMap<String, Integer> tile, ElfOptions options) {

    /// Constants change no time and no limit.
    private static final double CONSTANT = 1e-5;
    private static final int ELEMENT_BYTES = 2;
    private static final long MOST_ELEMENTS = Long.MAX_VALUE / ELEMENT_BYTES;

    public LoneKernel {
        shape = Collections.unmodifiableSortedMap(new TreeMap<>(shape));
        tile = Collections.unmodifiableSortedMap(new TreeMap<>(tile));
    }

    public ElfDescription elf() {
        List<ArgumentDescription> arguments = new ArrayList<>();
        SortedMap<String, PortBinding> ports = new TreeMap<>();
        for (Port port : form.signature().ports()) {
            long elements = elements(port);
            ports.put(port.name(), new PortBinding(arguments.size(), 0, elements));
            arguments.add(new ArgumentDescription(port.name(), ELEMENT_BYTES * elements));
        }
        SortedMap<String, Double> constants = new TreeMap<>();
        form.signature().constants().forEach(constant -> constants.put(constant, CONSTANT));
        String name = id.value();
        LaunchDescription launch = new LaunchDescription(name, id, name, shape, constants, herd.columns(), herd.rows(), tile,
                ports);
        return new ElfDescription(name, List.of(launch), arguments, options.pingPong(), options.loopTiling());
    }

    /// So many that a device refuses them where there is no number that is large enough.
    private long elements(Port port) {
        try {
            return Math.min(MOST_ELEMENTS, port.elements().applyAsLong(shape));
        } catch (ArithmeticException overflow) {
            return MOST_ELEMENTS;
        }
    }

    /// Whether npuflow places and times the kernel and does not compute it.
    boolean timedOnly() {
        return !id.equals(form.id());
    }

    LoneKernel tiled(Herd changedHerd, SortedMap<String, Integer> changedTile, boolean pingPong) {
        return new LoneKernel(id, form, shape, changedHerd, changedTile, new ElfOptions(pingPong, options.loopTiling()));
    }

    /// Such as `herd 8x1, tile_m 8, m_input 4, ping-pong on`.
    public String configuration() {
        String tiles = tile.entrySet().stream().map(size -> "%s %d, ".formatted(size.getKey(), size.getValue())).collect(Collectors.joining());
        return "herd %dx%d, %sping-pong %s".formatted(herd.columns(), herd.rows(), tiles, options.pingPong() ? "on" : "off");
    }

    /// Such as `k 2048, m 2048`.
    public String extents() {
        return shape.entrySet().stream().map(extent -> "%s %d".formatted(extent.getKey(), extent.getValue())).collect(Collectors.joining(", "));
    }
}
