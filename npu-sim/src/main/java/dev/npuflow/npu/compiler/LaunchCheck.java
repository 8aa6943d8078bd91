package dev.npuflow.npu.compiler;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.KernelSignature.Port;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Whether a launch states all that its kernel asks for, and binds its ports to memory that is there.
final class LaunchCheck {

    private static final int BYTES_AN_ELEMENT = 2;

    private final LaunchDescription launch;
    private final ElfDescription elf;
    private final List<Blocker> blockers = new ArrayList<>();

    private LaunchCheck(LaunchDescription launch, ElfDescription elf) {
        this.launch = launch;
        this.elf = elf;
    }

    static Blocker unknownKernel(LaunchDescription launch) {
        return new Blocker("UNKNOWN_KERNEL", launch.name(), "undefined symbol: kernel '%s'".formatted(launch.kernel()),
                "no core function of that name exists", "Use one of the kernels %s.".formatted(Kernels.all().keySet().stream().map(KernelId::value).collect(Collectors.joining(", "))));
    }

    static List<Blocker> check(LaunchDescription launch, Kernel kernel, ElfDescription elf, DeviceDescription device) {
        LaunchCheck check = new LaunchCheck(launch, elf);
        KernelSignature signature = kernel.signature();
        check.numbers("shape", launch.shape(), signature.shape(), signature.optionalShape());
        check.numbers("tile", launch.tile(), device.tileSizes(kernel.id()), List.of());
        check.constants(signature.constants());
        check.portNames(signature.ports());
        check.herd();
        if (check.blockers.isEmpty()) {
            check.positions(signature.ports());
            signature.ports().forEach(check::binding);
        }
        return check.blockers;
    }

    /// What the limits read: extents, tiles and the herd. How many of the rows are real positions changes no limit.
    static List<Blocker> checkSizes(LaunchDescription launch, Kernel kernel, ElfDescription elf, DeviceDescription device) {
        LaunchCheck check = new LaunchCheck(launch, elf);
        KernelSignature signature = kernel.signature();
        check.numbers("shape", launch.shape(), signature.shape().stream().filter(extent -> !extent.equals(KernelSignature.POSITIONS)).toList(),
                Stream.concat(signature.optionalShape().stream(), Stream.of(KernelSignature.POSITIONS)).toList());
        check.numbers("tile", launch.tile(), device.tileSizes(launch.kernel()), List.of());
        check.herd();
        return check.blockers;
    }

    private void herd() {
        if (launch.herdColumns() < 1 || launch.herdRows() < 1) {
            block("HERD_SHAPE", "herd shape mismatch: herd %d x %d".formatted(launch.herdColumns(), launch.herdRows()), "a herd has cores",
                    "Use a herd of at least 1 x 1.");
        }
    }

    private void numbers(String kind, SortedMap<String, Integer> given, List<String> required, List<String> optional) {
        for (String key : required) {
            if (!given.containsKey(key)) {
                block("MISSING_" + kind.toUpperCase(Locale.ROOT), "%s has no %s '%s'".formatted(launch.kernel(), kind, key),
                        "the kernel is built for fixed extents and tiles", "State each of %s.".formatted(String.join(", ", required)));
            }
        }
        for (Map.Entry<String, Integer> entry : given.entrySet()) {
            if (!required.contains(entry.getKey()) && !optional.contains(entry.getKey())) {
                block("UNKNOWN_" + kind.toUpperCase(Locale.ROOT), "%s knows no %s '%s'".formatted(launch.kernel(), kind, entry.getKey()),
                        "a name that nothing reads is a mistake", names(kind, required, optional));
            } else if (entry.getValue() < 1) {
                block("EXTENT", "%s '%s' is %d".formatted(kind, entry.getKey(), entry.getValue()), "extents are positive", "Use a number of at least 1.");
            }
        }
    }

    private void constants(List<String> required) {
        for (String key : required) {
            Double value = launch.constants().get(key);
            if (value == null || !Double.isFinite(value) || value < 0) {
                block("CONSTANT", "%s constant '%s' is %s".formatted(launch.kernel(), key, value == null ? "missing" : value),
                        "the constant is compiled into the core function", "State a finite number that is not negative.");
            }
        }
    }

    private void portNames(List<Port> ports) {
        List<String> known = ports.stream().map(Port::name).toList();
        for (String port : known) {
            if (!launch.ports().containsKey(port)) {
                block("MISSING_PORT", "port '%s' of %s is not bound".formatted(port, launch.kernel()), "a DMA needs memory to work on",
                        "Bind each of the ports %s.".formatted(String.join(", ", known)));
            }
        }
        for (String port : launch.ports().keySet()) {
            if (!known.contains(port)) {
                block("UNKNOWN_PORT", "%s has no port '%s'".formatted(launch.kernel(), port), "nothing would move that data",
                        "Use one of the ports %s.".formatted(String.join(", ", known)));
            }
        }
    }

    private void positions(List<Port> ports) {
        Integer positions = launch.shape().get(KernelSignature.POSITIONS);
        for (Port port : ports) {
            if (positions != null && port.perPosition() && elements(port) % positions != 0) {
                block("POSITIONS", "port '%s': %d elements are not %d positions".formatted(port.name(), elements(port), positions), "every position has the same number of rows",
                        "Use a shape that is a multiple of positions.");
            }
        }
    }

    private void binding(Port port) {
        PortBinding binding = launch.ports().get(port.name());
        long elements = elements(port);
        if (elements > Integer.MAX_VALUE) {
            block("PORT_SIZE", "port '%s' has %d elements".formatted(port.name(), elements), "a buffer descriptor's byte offset has 32 bits",
                    "Cut the launch into parts, each with ports of at most 2147483647 elements.");
        } else if (binding.elements() != elements) {
            block("PORT_SIZE", "port '%s' has %d elements, bound to %d".formatted(port.name(), elements, binding.elements()),
                    "the DMA moves exactly what the shape says", "Bind the port to %d elements.".formatted(elements));
        } else if (binding.argument() < 0 || binding.argument() >= elf.arguments().size()) {
            block("ARGUMENT_INDEX", "port '%s' is bound to argument %d of %d".formatted(port.name(), binding.argument(), elf.arguments().size()),
                    "a launch sees only the ELF's arguments", "Bind the port to one of the ELF's arguments, counted from 0.");
        } else if (binding.offset() < 0 || binding.offset() > elf.arguments().get(binding.argument()).bytes() / BYTES_AN_ELEMENT - elements) {
            block("ARGUMENT_BOUNDS", "port '%s': elements %d to %d of argument %s, which has %d".formatted(port.name(), binding.offset(),
                    binding.offset() + elements, elf.arguments().get(binding.argument()).name(),
                    elf.arguments().get(binding.argument()).bytes() / BYTES_AN_ELEMENT), "the DMA would leave the buffer object",
                    "Bind the port to a range inside the argument.");
        } else if (binding.offset() % 2 != 0 || elements % 2 != 0) {
            block("GRANULARITY", "port '%s': offset %d and size %d in bf16 elements must be even".formatted(port.name(), binding.offset(), elements),
                    "buffer descriptors count 32-bit words", "Use an even offset and an even size.");
        }
    }

    /// The largest number where there is none that is large enough.
    private long elements(Port port) {
        try {
            return port.elements().applyAsLong(launch.shape());
        } catch (ArithmeticException overflow) {
            return Long.MAX_VALUE;
        }
    }

    private void block(String limit, String message, String cause, String remedy) {
        blockers.add(new Blocker(limit, launch.name(), message, cause, remedy));
    }

    private static String names(String kind, List<String> required, List<String> optional) {
        List<String> all = new ArrayList<>(required);
        all.addAll(optional);
        return all.isEmpty() ? "Leave it out: the kernel has no %s.".formatted(kind) : "Use one of %s.".formatted(String.join(", ", all));
    }
}
