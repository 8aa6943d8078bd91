package dev.npuflow.workflow.registry;

import dev.npuflow.npu.calibration.Table;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A kernel's latency on silicon, from `measured/latencies.csv`, where each has its source.
///
/// @param id           of the row
/// @param kernel       as our plans name it
/// @param microseconds from start to wait, no buffer sync
public record PublishedLatency(String id, String kernel, SortedMap<String, Integer> shape, String herd, SortedMap<String, Integer> tile, boolean pingPong,
        double microseconds) {

    private static final List<String> COLUMNS =
            List.of("id", "family", "kernel", "shape", "herd", "tile", "packaging", "ping_pong", "loop_tiling", "microseconds", "measured", "source");

    /// What a plan says of a launch and a stand-alone measurement does not: padding, and the layout of heads.
    private static final List<String> PLAN_ONLY = List.of("positions", "head_first");

    public PublishedLatency {
        shape = Collections.unmodifiableSortedMap(new TreeMap<>(shape));
        tile = Collections.unmodifiableSortedMap(new TreeMap<>(tile));
    }

    /// @param device that knows which names stand for the same kernel: upstream's GEMM with a cast launch is one of ours
    static List<PublishedLatency> all(DeviceDescription device) {
        try (InputStream file = PublishedLatency.class.getResourceAsStream("/measured/latencies.csv")) {
            if (file == null) {
                throw new IllegalStateException("the published latencies are not in the jar");
            }
            return Table.parse("measured/latencies.csv", new String(file.readAllBytes(), StandardCharsets.UTF_8), COLUMNS).rows().stream()
                    .map(row -> of(row, device)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PublishedLatency of(Table.Row row, DeviceDescription device) {
        String kernel = row.text("kernel");
        return new PublishedLatency(row.text("id"), device.computedAs(new KernelId(kernel)).map(KernelId::value).orElse(kernel), row.extents("shape"), row.text("herd"), row.extents("tile"),
                row.text("ping_pong").equals("on"), row.number("microseconds").orElseThrow());
    }

    /// Whether it is of the same kernel at the same shape.
    boolean isOf(Launch launch) {
        SortedMap<String, Integer> wanted = new TreeMap<>(launch.shape());
        wanted.keySet().removeAll(PLAN_ONLY);
        SortedMap<String, Integer> own = new TreeMap<>(shape);
        own.keySet().removeAll(PLAN_ONLY);
        return kernel.equals(launch.kernel()) && own.equals(wanted);
    }

    /// Whether it ran on the same herd, with the same tile and ping-pong.
    boolean isPlacedAs(Launch launch, ElfOptions options) {
        return herd.equals("%dx%d".formatted(launch.herd().columns(), launch.herd().rows())) && tile.equals(launch.tile()) && pingPong == options.pingPong();
    }
}
