package dev.npuflow.npu.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElfReplayTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    /// A large `tile_m` needs a cast after the product: two configurations of the array, which no xclbin holds at once.
    @ParameterizedTest
    @CsvSource({"16, XCLBIN", "64, XCLBIN", "16, ELF", "64, ELF"})
    void a_replay_takes_as_long_as_the_clock_says(int tileM, Packaging packaging) {
        LaunchDescription launch = new LaunchDescription("g", new KernelId("gemm"), "mm", new TreeMap<>(Map.of("m", 512, "k", 512, "n", 512, "positions", 512)),
                new TreeMap<>(), 8, 4, new TreeMap<>(Map.of("tile_m", tileM, "tile_k_l2", 128, "tile_k_l1", 32, "tile_n", 64)), new TreeMap<>());
        ElfDescription elf = new ElfDescription("e", List.of(launch), List.of(), true, 2);
        assertEquals(tileM == 64 ? 2 : 1, NPU2.stages(launch, elf).size());
        long replayed = ElfReplay.replay(elf, NPU2, packaging, 0, "call 0", span -> assertTrue(span.startPicoseconds() >= 0));
        long timed = new LaunchClock().time(elf, NPU2, packaging).picoseconds();
        assertEquals(timed, replayed, 1e-3 * timed);
    }
}
