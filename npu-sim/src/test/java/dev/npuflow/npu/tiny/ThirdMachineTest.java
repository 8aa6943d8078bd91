package dev.npuflow.npu.tiny;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.ElfReplay;
import dev.npuflow.npu.clock.ElfTiming;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.compiler.Compilation;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.kernel.KernelRun;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.npu.runtime.BufferObject;
import dev.npuflow.npu.runtime.NpuRuntime;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A machine that the main code does not know: found by the kind of its device file, built for, run, timed and traced by what every machine shares.
class ThirdMachineTest {

    private static final DeviceDescription DEVICE = load();

    private static DeviceDescription load(String... overrides) {
        return Devices.load(Path.of(System.getProperty("npuflow.root", "..")).resolve("npu-sim/src/test/resources/two-banks.yaml").toString(),
                List.of(overrides));
    }

    private static ElfDescription elf(KernelId kernel, int n) {
        TreeMap<String, PortBinding> ports = new TreeMap<>(Map.of("a", new PortBinding(0, 0, n), "b", new PortBinding(1, 0, n), "out",
                new PortBinding(2, 0, n)));
        LaunchDescription launch = new LaunchDescription("sum", kernel, "sum", new TreeMap<>(Map.of("n", n)), new TreeMap<>(), 1, 1, new TreeMap<>(), ports);
        return new ElfDescription("sums", List.of(launch), List.of(new ArgumentDescription("a", 2L * n), new ArgumentDescription("b", 2L * n),
                new ArgumentDescription("out", 2L * n)), false, 1);
    }

    private static Executable built(int n) {
        return switch (Compiler.compile(elf(EltwiseAddKernel.ID, n), DEVICE)) {
            case Compilation.Built built -> built.executable();
            case Compilation.Refused refused -> throw new AssertionError(refused.blockers());
        };
    }

    @Test void its_launch_runs() {
        try (NpuRuntime runtime = new NpuRuntime(DEVICE, new LaunchClock(), new DeviceHostClock(DEVICE))) {
            List<BufferObject> buffers = List.of(runtime.allocate("a", 256), runtime.allocate("b", 256), runtime.allocate("out", 256));
            for (int operand = 0; operand < 2; operand++) {
                short[] values = new short[128];
                Arrays.fill(values, KernelRun.whole(3 + operand));
                buffers.get(operand).write(MemorySegment.ofArray(values));
                buffers.get(operand).syncToDevice();
            }
            runtime.run(runtime.load(built(128)), buffers, 1).completed();
            buffers.get(2).syncFromDevice();
            assertEquals(7, KernelRun.value(buffers.get(2).host().get(ValueLayout.JAVA_SHORT_UNALIGNED, 254)));
        }
    }

    /// Two packets, one a bank: 1 + 3 to the router, 2 in it, 1 + 3 to the bank, 8 there, 1 + 3 back; the second leaves 1 ns later.
    @Test void its_launch_is_timed_by_its_own_graph() {
        ElfTiming timing = new LaunchClock().time(built(128));
        assertEquals(23_000, timing.picoseconds());
        assertEquals("latency", timing.launches().getFirst().boundBy());
    }

    /// Sixty-four packets, eight ns each in one of two banks, after the first one's way there and before the last one's back.
    @Test void a_longer_launch_is_bound_by_its_banks() {
        ElfTiming timing = new LaunchClock().time(built(4096));
        assertEquals(1_000 * (10 + 32 * 8 + 4 + 1), timing.picoseconds());
        assertEquals("even bank", timing.launches().getFirst().boundBy());
    }

    @Test void a_changed_number_changes_the_time() {
        ElfDescription elf = elf(EltwiseAddKernel.ID, 128);
        LaunchClock clock = new LaunchClock();
        assertEquals(clock.time(elf, DEVICE, Packaging.ELF).picoseconds() + 3 * 2_000,
                clock.time(elf, load("link.latency_ns=5"), Packaging.ELF).picoseconds());
    }

    @Test void its_launch_is_traced_down_to_each_packet() {
        TreeSet<String> spans = new TreeSet<>();
        long end = ElfReplay.replay(elf(EltwiseAddKernel.ID, 128), DEVICE, Packaging.XCLBIN, 1_000, "call 0", span -> spans.add("%s/%s/%s %d-%d %s".formatted(
                span.process(), span.track(), span.name(), span.startPicoseconds(), span.endPicoseconds(), span.correlation())));
        assertEquals(24_000, end);
        assertTrue(spans.contains("nodes/odd bank/serve 12000-20000 call 0/launch 0/read 1"), spans.toString());
        assertTrue(spans.contains("links/cpu to router/read 1000-2000 call 0/launch 0/read 0"), spans.toString());
        assertTrue(spans.contains("array/launches/sum 1000-24000 call 0/launch 0"), spans.toString());
    }

    @Test void a_kernel_that_it_does_not_have_is_refused_by_it() {
        TreeMap<String, PortBinding> ports = new TreeMap<>(Map.of("matrix", new PortBinding(0, 0, 64), "vector", new PortBinding(1, 0, 8), "out",
                new PortBinding(2, 0, 8)));
        LaunchDescription gemv = new LaunchDescription("gemv", GemvKernel.ID, "mv", new TreeMap<>(Map.of("m", 8, "k", 8)), new TreeMap<>(), 1, 1,
                new TreeMap<>(), ports);
        Compilation refused = Compiler.compile(new ElfDescription("elf", List.of(gemv), List.of(new ArgumentDescription("a", 128),
                new ArgumentDescription("b", 16), new ArgumentDescription("c", 16)), false, 1), DEVICE);
        assertEquals("the machine adds and does nothing else", ((Compilation.Refused) refused).blockers().getFirst().cause());
    }

    @Test void a_field_of_another_machine_is_refused() {
        assertEquals("NPF-303", assertThrows(NpuflowException.class, () -> load("array.columns=4")).id());
    }
}
