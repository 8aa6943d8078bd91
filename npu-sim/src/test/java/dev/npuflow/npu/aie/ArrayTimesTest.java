package dev.npuflow.npu.aie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.gemm.TimedGemm;
import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.ElfReplay;
import dev.npuflow.npu.clock.ElfTiming;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.engine.Recorder;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.gemvadd.GemvAddKernel;
import dev.npuflow.npu.kernel.swiglu.GemvSwigluRmsKernel;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.npu.machine.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArrayTimesTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());
    private static final DeviceDescription HALF = Devices.load("npu2", List.of(
            "dram.read_gbps=" + AieDevice.of(NPU2).hardware().dram().readRate() / 2e9, "dram.total_gbps=" + AieDevice.of(NPU2).hardware().dram().totalRate() / 2e9));

    @Test void halving_the_dram_bandwidth_moves_gemv_and_not_dispatch() {
        ElfDescription elf = elf(true, 16, gemv(16384, 2048, 8, 4));
        assertTrue(time(elf, HALF) > 1.3 * time(elf, NPU2));
        assertEquals(new DeviceHostClock(NPU2).dispatch(), new DeviceHostClock(HALF).dispatch());
    }

    @Test void ping_pong_makes_a_gemv_faster_and_never_slower() {
        assertTrue(time(elf(true, 4, gemv(8192, 2048, 8, 4)), NPU2) < time(elf(false, 4, gemv(8192, 2048, 8, 4)), NPU2));
    }

    @Test void a_gemv_reads_its_matrix_once_and_writes_its_result_once() {
        LaunchDescription launch = gemv(1024, 1024, 8, 4);
        Stage stage = NPU2.stages(launch, elf(true, 16, launch)).getFirst();
        Outcome outcome = stage.lay(stage.periods()).run(Recorder.SILENT);
        long matrix = outcome.links().stream().filter(link -> link.name().startsWith("memtile mm2s")).mapToLong(Outcome.LinkUse::bytesOut).sum();
        long written = outcome.links().stream().filter(link -> link.name().equals("ddr write")).mapToLong(Outcome.LinkUse::bytesOut).sum();
        assertEquals(2L * 1024 * 1024, matrix);
        assertEquals(2L * 1024, written);
    }

    @Test void launches_of_an_elf_follow_each_other_without_overlap_and_cost_a_boundary_each() {
        ElfTiming timing = new LaunchClock().time(elf(true, 16, gemv(1024, 1024, 8, 4), gemv(512, 1024, 8, 4)), NPU2, Packaging.ELF);
        long boundary = AieDevice.of(NPU2).hardware().control().reconfigureBase() + 8 * AieDevice.of(NPU2).hardware().control().reconfigurePerCore();
        assertEquals(boundary, timing.launches().get(0).startPicoseconds());
        assertEquals(timing.launches().get(0).endPicoseconds() + boundary, timing.launches().get(1).startPicoseconds());
        assertEquals(timing.picoseconds(), timing.launches().get(1).endPicoseconds());
    }

    /// One clock, which remembers what it simulated: a change of any of these is another time.
    @Test void a_clock_tells_flags_tiles_shapes_and_devices_apart() {
        LaunchClock clock = new LaunchClock();
        List<Long> times = new ArrayList<>();
        for (boolean pingPong : List.of(true, false)) {
            for (int tiling : List.of(4, 16)) {
                for (LaunchDescription launch : List.of(gemv(8192, 2048, 8, 4), gemv(8192, 2048, 8, 2), gemv(8192, 1024, 8, 4))) {
                    for (DeviceDescription device : List.of(NPU2, HALF)) {
                        ElfDescription elf = elf(pingPong, tiling, launch);
                        long time = clock.time(elf, device, Packaging.ELF).picoseconds();
                        assertEquals(new LaunchClock().time(elf, device, Packaging.ELF).picoseconds(), time, "as a clock that remembers nothing");
                        times.add(time);
                    }
                }
            }
        }
        assertEquals(times.size(), Set.copyOf(times).size(), times.toString());
    }

    @Test void the_same_elf_takes_the_same_time_on_every_clock() {
        ElfDescription elf = elf(false, 4, gemv(2048, 2048, 8, 8));
        assertEquals(new LaunchClock().time(elf, NPU2, Packaging.ELF), new LaunchClock().time(elf, NPU2, Packaging.ELF));
    }

    /// Measured as fused-cast: 9969.46 us (mlir-air kernel_registry/details/GEMM_bf16_in_bf16_out.json).
    @Test void a_gemm_whose_tiles_are_too_large_to_drain_is_timed_with_its_cast() {
        ElfDescription elf = elf(true, 2, gemm("gemm", 64));
        double dispatched = (time(elf, NPU2) + new DeviceHostClock(NPU2).repeatedDispatch()) / 1e6;
        assertEquals(9969.46, dispatched, 0.06 * 9969.46);
        assertEquals(time(elf(true, 2, gemm("gemm_fused_cast", 64)), NPU2), time(elf, NPU2));
        assertEquals(time(elf, NPU2), new LaunchClock().time(elf, NPU2, Packaging.XCLBIN).picoseconds(), "two configurations: nothing is configured beforehand");
    }

    @Test void a_form_with_other_results_stands_for_no_kernel_and_has_no_tiles_to_choose() {
        assertEquals(Optional.of(GemmKernel.ID), NPU2.computedAs(TimedGemm.FUSED_CAST));
        assertEquals(Optional.of(GemmKernel.ID), NPU2.computedAs(GemmKernel.ID));
        for (KernelId other : List.of(TimedGemm.DIRECT, TimedGemm.F32_OUT, TimedGemm.F32_DIRECT)) {
            assertEquals(Optional.empty(), NPU2.computedAs(other));
        }
        assertEquals(List.of(true, false, false, false), Stream.of(GemmKernel.ID, TimedGemm.FUSED_CAST, GemvAddKernel.ID, GemvSwigluRmsKernel.ID).map(NPU2::choosesTiles).toList());
    }

    @Test void what_does_not_place_has_no_time() {
        List<ElfDescription> elfs = List.of(elf(true, 16, gemv(1024, 1000, 8, 4)), elf(true, 2, gemm("gemm_direct", 512)), elf(true, 2, gemm("gemmm", 64)));
        for (ElfDescription elf : elfs) {
            assertEquals("NPF-345", assertThrows(NpuflowException.class, () -> time(elf, NPU2)).id());
            assertEquals("NPF-345", assertThrows(NpuflowException.class, () -> ElfReplay.replay(elf, NPU2, Packaging.ELF, 0, "", _ -> { })).id());
        }
        String told = assertThrows(NpuflowException.class, () -> time(elfs.getFirst(), NPU2)).getMessage();
        assertTrue(told.contains("K (1000) must be divisible by 64") && told.contains("try this: Pad k to a multiple of 64"), told);
    }

    @Test void a_gemm_that_is_timed_only_places_as_its_method_says() {
        for (String kernel : List.of("gemm_fused_cast", "gemm_f32_out", "gemm_direct", "gemm_f32_direct")) {
            assertTrue(time(elf(true, 2, gemm(kernel, 64)), NPU2) > 0, kernel);
        }
        assertEquals(List.of(), Compiler.placement(elf(false, 2, gemm("gemm_direct", 128)), NPU2), "bf16 sums of 128 x 128 are 32 KiB");
        assertEquals(List.of("L1_CAPACITY"), Compiler.placement(elf(false, 2, gemm("gemm_f32_out", 128)), NPU2).stream().map(Blocker::limit).toList(),
                "fp32 sums of 128 x 128 are 64 KiB");
    }

    @Test void a_gemm_of_small_tiles_is_one_configuration() {
        ElfDescription elf = elf(true, 2, gemm("gemm", 32));
        assertEquals(1, NPU2.stages(elf.launches().getFirst(), elf).size());
        assertTrue(new LaunchClock().time(elf, NPU2, Packaging.XCLBIN).picoseconds() < time(elf, NPU2));
    }

    private static LaunchDescription gemm(String kernel, int tileM) {
        return new LaunchDescription("gemm", new KernelId(kernel), "mm", new TreeMap<>(Map.of("m", 2048, "k", 2048, "n", 8192)), new TreeMap<>(), 8, 4,
                new TreeMap<>(Map.of("tile_m", tileM, "tile_k_l2", 256, "tile_k_l1", 32, "tile_n", 128)), new TreeMap<>());
    }

    private static long time(ElfDescription elf, DeviceDescription device) {
        return new LaunchClock().time(elf, device, Packaging.ELF).picoseconds();
    }

    private static LaunchDescription gemv(int m, int k, int tileM, int callRows) {
        return new LaunchDescription("gemv" + m, GemvKernel.ID, "mv", new TreeMap<>(Map.of("m", m, "k", k)), new TreeMap<>(), 8, 1,
                new TreeMap<>(Map.of("tile_m", tileM, "m_input", callRows)), new TreeMap<>());
    }

    private static ElfDescription elf(boolean pingPong, int tiling, LaunchDescription... launches) {
        return new ElfDescription("elf", new ArrayList<>(List.of(launches)), List.of(), pingPong, tiling);
    }
}
