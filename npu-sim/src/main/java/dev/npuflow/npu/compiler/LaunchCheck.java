package dev.npuflow.npu.compiler;

import dev.npuflow.npu.compiler.LaunchDescription.PortBinding;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelDesign;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.KernelSignature.Port;
import dev.npuflow.npu.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
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
                "no core function of that name exists", "one of %s".formatted(String.join(", ", Kernels.all().keySet())));
    }

    static List<Blocker> check(LaunchDescription launch, Kernel kernel, ElfDescription elf) {
        LaunchCheck check = new LaunchCheck(launch, elf);
        KernelSignature signature = kernel.signature();
        check.numbers("shape", launch.shape(), signature.shape(), signature.optionalShape());
        check.numbers("tile", launch.tile(), signature.tile(), List.of());
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
    static List<Blocker> checkSizes(LaunchDescription launch, KernelDesign design, ElfDescription elf) {
        LaunchCheck check = new LaunchCheck(launch, elf);
        KernelSignature signature = design.signature();
        check.numbers("shape", launch.shape(), signature.shape().stream().filter(extent -> !extent.equals(KernelSignature.POSITIONS)).toList(),
                Stream.concat(signature.optionalShape().stream(), Stream.of(KernelSignature.POSITIONS)).toList());
        check.numbers("tile", launch.tile(), signature.tile(), List.of());
        check.herd();
        return check.blockers;
    }

    private void herd() {
        if (launch.herdColumns() < 1 || launch.herdRows() < 1) {
            block("HERD_SHAPE", "herd shape mismatch: herd %d x %d".formatted(launch.herdColumns(), launch.herdRows()), "a herd has cores",
                    "at least 1 x 1");
        }
    }

    private void numbers(String kind, SortedMap<String, Integer> given, List<String> required, List<String> optional) {
        for (String key : required) {
            if (!given.containsKey(key)) {
                block("MISSING_" + kind.toUpperCase(Locale.ROOT), "%s has no %s '%s'".formatted(launch.kernel(), kind, key),
                        "the kernel is built for fixed extents and tiles", "state %s".formatted(String.join(", ", required)));
            }
        }
        for (Map.Entry<String, Integer> entry : given.entrySet()) {
            if (!required.contains(entry.getKey()) && !optional.contains(entry.getKey())) {
                block("UNKNOWN_" + kind.toUpperCase(Locale.ROOT), "%s knows no %s '%s'".formatted(launch.kernel(), kind, entry.getKey()),
                        "a name that nothing reads is a mistake", "one of %s".formatted(names(required, optional)));
            } else if (entry.getValue() < 1) {
                block("EXTENT", "%s '%s' is %d".formatted(kind, entry.getKey(), entry.getValue()), "extents are positive", "at least 1");
            }
        }
    }

    private void constants(List<String> required) {
        for (String key : required) {
            Double value = launch.constants().get(key);
            if (value == null || !Double.isFinite(value) || value < 0) {
                block("CONSTANT", "%s constant '%s' is %s".formatted(launch.kernel(), key, value == null ? "missing" : value),
                        "the constant is compiled into the core function", "a finite number, not negative");
            }
        }
    }

    private void portNames(List<Port> ports) {
        List<String> known = ports.stream().map(Port::name).toList();
        for (String port : known) {
            if (!launch.ports().containsKey(port)) {
                block("MISSING_PORT", "port '%s' of %s is not bound".formatted(port, launch.kernel()), "a DMA needs memory to work on",
                        "bind %s".formatted(String.join(", ", known)));
            }
        }
        for (String port : launch.ports().keySet()) {
            if (!known.contains(port)) {
                block("UNKNOWN_PORT", "%s has no port '%s'".formatted(launch.kernel(), port), "nothing would move that data",
                        "one of %s".formatted(String.join(", ", known)));
            }
        }
    }

    private void positions(List<Port> ports) {
        Integer positions = launch.shape().get(KernelSignature.POSITIONS);
        for (Port port : ports) {
            if (positions != null && port.perPosition() && port.elements().applyAsLong(launch.shape()) % positions != 0) {
                block("POSITIONS", "port '%s': %d elements are not %d positions".formatted(port.name(),
                        port.elements().applyAsLong(launch.shape()), positions), "every position has the same number of rows",
                        "a shape that is a multiple of positions");
            }
        }
    }

    private void binding(Port port) {
        PortBinding binding = launch.ports().get(port.name());
        long elements = port.elements().applyAsLong(launch.shape());
        if (elements > Integer.MAX_VALUE) {
            block("PORT_SIZE", "port '%s' has %d elements".formatted(port.name(), elements), "a buffer descriptor's byte offset has 32 bits",
                    "a partition of the launch");
        } else if (binding.elements() != elements) {
            block("PORT_SIZE", "port '%s' has %d elements, bound to %d".formatted(port.name(), elements, binding.elements()),
                    "the DMA moves exactly what the shape says", "bind %d elements".formatted(elements));
        } else if (binding.argument() < 0 || binding.argument() >= elf.arguments().size()) {
            block("ARGUMENT_INDEX", "port '%s' is bound to argument %d of %d".formatted(port.name(), binding.argument(), elf.arguments().size()),
                    "a launch sees only the ELF's arguments", "an argument from 0 on");
        } else if (binding.offset() < 0 || binding.offset() > elf.arguments().get(binding.argument()).bytes() / BYTES_AN_ELEMENT - elements) {
            block("ARGUMENT_BOUNDS", "port '%s': elements %d to %d of argument %s, which has %d".formatted(port.name(), binding.offset(),
                    binding.offset() + elements, elf.arguments().get(binding.argument()).name(),
                    elf.arguments().get(binding.argument()).bytes() / BYTES_AN_ELEMENT), "the DMA would leave the buffer object",
                    "a range inside the argument");
        } else if (binding.offset() % 2 != 0 || elements % 2 != 0) {
            block("GRANULARITY", "port '%s': offset %d and size %d in bf16 elements must be even".formatted(port.name(), binding.offset(), elements),
                    "buffer descriptors count 32-bit words", "even offsets and sizes");
        }
    }

    private void block(String limit, String message, String cause, String remedy) {
        blockers.add(new Blocker(limit, launch.name(), message, cause, remedy));
    }

    private static String names(List<String> required, List<String> optional) {
        List<String> all = new ArrayList<>(required);
        all.addAll(optional);
        return String.join(", ", all);
    }
}
