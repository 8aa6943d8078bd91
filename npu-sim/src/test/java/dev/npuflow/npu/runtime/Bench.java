package dev.npuflow.npu.runtime;

import dev.npuflow.npu.clock.ElfTiming;
import dev.npuflow.npu.clock.HostClock;
import dev.npuflow.npu.compiler.Compilation;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.kernel.KernelRun;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// ELFs of 64-element additions, and a device with round figures for times, for tests of the runtime.
final class Bench {

    static final DeviceDescription DEVICE = Devices.load("npu2", List.of());
    static final int ELEMENTS = 64;
    static final long DISPATCH = 1_000;
    static final long ELF = 7;

    private Bench() {}

    static NpuRuntime runtime(RuntimeOptions options) {
        return new NpuRuntime(DEVICE, executable -> new ElfTiming(ELF, List.of()), new HostClock() {
            @Override
            public long dispatch() {
                return DISPATCH;
            }

            @Override
            public long write(long bytes) {
                return 10 * bytes;
            }

            @Override
            public long read(long bytes) {
                return bytes;
            }
        }, options.withThreads(1));
    }

    static NpuRuntime runtime() {
        return runtime(RuntimeOptions.standard());
    }

    /// Launches `out = a + b`, each given as argument numbers a, b, out.
    static Executable additions(String name, int arguments, int[]... launches) {
        return additions(name, ELEMENTS, arguments, launches);
    }

    static Executable additions(String name, int elements, int arguments, int[]... launches) {
        List<LaunchDescription> descriptions = new ArrayList<>();
        for (int[] launch : launches) {
            TreeMap<String, PortBinding> ports = new TreeMap<>();
            ports.put("a", new PortBinding(launch[0], 0, elements));
            ports.put("b", new PortBinding(launch[1], 0, elements));
            ports.put("out", new PortBinding(launch[2], 0, elements));
            descriptions.add(new LaunchDescription("add_" + descriptions.size(), EltwiseAddKernel.ID, "add", new TreeMap<>(Map.of("n", elements,
                    "positions", elements / 16)), new TreeMap<>(), 1, 1, new TreeMap<>(Map.of("tile_n", 16)), ports));
        }
        List<ArgumentDescription> slots = IntStream.range(0, arguments)
                .mapToObj(i -> new ArgumentDescription("arg" + i, 2L * elements)).toList();
        return switch (Compiler.compile(new ElfDescription(name, descriptions, slots, true, 1), DEVICE)) {
            case Compilation.Built built -> built.executable();
            case Compilation.Refused refused -> throw new AssertionError(refused.blockers());
        };
    }

    /// All elements the same integer.
    static MemorySegment all(int value) {
        short[] values = new short[ELEMENTS];
        Arrays.fill(values, KernelRun.whole(value));
        return MemorySegment.ofArray(values);
    }

    static void upload(BufferObject buffer, int value) {
        buffer.write(all(value));
        buffer.syncToDevice();
    }

    static double first(BufferObject buffer) {
        return KernelRun.value(buffer.host().get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
    }

    static double last(BufferObject buffer) {
        return KernelRun.value(buffer.host().get(ValueLayout.JAVA_SHORT_UNALIGNED, buffer.bytes() - 2));
    }
}
