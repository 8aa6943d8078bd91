package dev.npuflow.npu.aie.measured;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The shipped npu2.yaml against published latencies (`measured/latencies.csv`, each with its source). One set of numbers for all rows.
class AccuracyTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    private record Measured(String id, String family, ElfDescription elf, Packaging packaging, double microseconds) {}

    @Test void every_family_is_within_its_mean_error() throws IOException {
        Map<String, List<Double>> errors = errors();
        errors.forEach((family, values) -> {
            double mean = values.stream().mapToDouble(Math::abs).average().orElseThrow();
            double bound = switch (family) {
                case "GEMV" -> 0.03;
                case "FlashAttention" -> 0.12;
                default -> 0.08;
            };
            assertTrue(mean <= bound, family + ": mean error " + mean + " above " + bound);
        });
        assertTrue(errors.size() >= 11, errors.keySet().toString());
    }

    @Test void no_gemv_is_off_by_more_than_8_percent() throws IOException {
        errors().get("GEMV").forEach(error -> assertTrue(Math.abs(error) <= 0.08, "GEMV off by " + error));
    }

    @Test void more_rows_a_core_call_help_as_much_as_measured() {
        double ratio = (double) gemv("1") / gemv("8");
        assertTrue(Math.abs(ratio / (401.4 / 329) - 1) < 0.15, "m_input 1 against 8: " + ratio);
    }

    private static long gemv(String callRows) {
        return time(new Measured("", "", elf("gemv", "m=2048 k=2048", "8x1", "tile_m=8 m_input=" + callRows, false, 4), Packaging.XCLBIN, 1));
    }

    private static Map<String, List<Double>> errors() throws IOException {
        Map<String, List<Double>> errors = new TreeMap<>();
        for (Measured row : rows()) {
            errors.computeIfAbsent(row.family(), _ -> new ArrayList<>()).add(time(row) / 1e6 / row.microseconds() - 1);
        }
        return errors;
    }

    private static long time(Measured row) {
        return new DeviceHostClock(NPU2).repeatedDispatch() + new LaunchClock().time(row.elf(), NPU2, row.packaging()).picoseconds();
    }

    private static List<Measured> rows() throws IOException {
        try (InputStream stream = AccuracyTest.class.getResourceAsStream("/measured/latencies.csv")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).map(AccuracyTest::row).toList();
        }
    }

    private static Measured row(String line) {
        String[] f = line.split(",");
        return new Measured(f[0], f[1], elf(f[2], f[3], f[4], f[5], f[7].equals("on"), Integer.parseInt(f[8])),
                f[6].equals("elf") ? Packaging.ELF : Packaging.XCLBIN, Double.parseDouble(f[9]));
    }

    private static ElfDescription elf(String kernel, String shape, String herd, String tile, boolean pingPong, int tiling) {
        String[] extents = herd.split("x");
        return new ElfDescription(kernel, List.of(new LaunchDescription(kernel, new KernelId(kernel), kernel, extents(shape), new TreeMap<>(),
                Integer.parseInt(extents[0]),
                Integer.parseInt(extents[1]), extents(tile), new TreeMap<>())), List.of(), pingPong, tiling);
    }

    private static SortedMap<String, Integer> extents(String text) {
        SortedMap<String, Integer> extents = new TreeMap<>();
        Arrays.stream(text.split(" ")).filter(part -> part.contains("=")).forEach(part ->
                extents.put(part.substring(0, part.indexOf('=')), Integer.parseInt(part.substring(part.indexOf('=') + 1))));
        return extents;
    }
}
