package dev.npuflow.npu.aie;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BenchmarkBuildTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    /// The published rows say how the benchmarks were built; the odd one of a family is another herd on the same shape.
    @Test void a_kernel_is_built_as_most_of_its_published_rows_were() throws IOException {
        SortedMap<String, BenchmarkBuild> published = published();
        assertEquals(11, published.size(), "kernels with published rows");
        published.forEach((kernel, build) -> assertEquals(build, NPU2.benchmark(new KernelId(kernel)), kernel));
    }

    @Test void a_kernel_without_published_rows_has_the_herd_that_it_places_on() {
        assertEquals(new BenchmarkBuild(2, true, 1), NPU2.benchmark(new KernelId("gemv_add")));
        assertEquals(new BenchmarkBuild(4, true, 1), NPU2.benchmark(new KernelId("gemv_swiglu_rms")));
        assertEquals(BenchmarkBuild.PLAIN, NPU2.benchmark(new KernelId("bias_add")));
    }

    @Test void a_kernel_that_the_device_does_not_have_is_built_plainly() {
        assertEquals(BenchmarkBuild.PLAIN, NPU2.benchmark(new KernelId("conv")));
    }

    private static SortedMap<String, BenchmarkBuild> published() throws IOException {
        SortedMap<String, List<BenchmarkBuild>> rows = new TreeMap<>();
        List<String> lines = new String(Devices.class.getResourceAsStream("/measured/latencies.csv").readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertEquals("id,family,kernel,shape,herd,tile,packaging,ping_pong,loop_tiling,microseconds,measured,source", lines.getFirst());
        for (String line : lines.subList(1, lines.size())) {
            String[] row = line.split(",");
            rows.computeIfAbsent(row[2], _ -> new ArrayList<>()).add(new BenchmarkBuild(Integer.parseInt(row[4].split("x")[1]), row[7].equals("on"),
                    Integer.parseInt(row[8])));
        }
        SortedMap<String, BenchmarkBuild> usual = new TreeMap<>();
        rows.forEach((kernel, builds) -> usual.put(kernel, builds.stream().collect(Collectors.groupingBy(build -> build, Collectors.counting())).entrySet().stream()
                .max(Comparator.comparingLong(Map.Entry::getValue)).orElseThrow().getKey()));
        return usual;
    }
}
