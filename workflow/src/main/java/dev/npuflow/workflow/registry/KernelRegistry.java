package dev.npuflow.workflow.registry;

import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.Lowering;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Collects the kernels of baseline plans, each shape and tile once, and holds the published latencies against them (`measured/latencies.csv`, each with
/// its source).
public final class KernelRegistry {

    private final DeviceDescription device;
    private final DeviceLowering lowering;
    private final LaunchClock clock = new LaunchClock();
    private final List<PublishedLatency> published;
    private final SortedMap<String, Entry> entries = new TreeMap<>();

    /// @throws dev.npuflow.fault.NpuflowException NPF-309 where no model can be deployed on devices of this kind
    public KernelRegistry(DeviceDescription device) {
        this.device = device;
        this.lowering = DeviceLowering.of(device);
        this.published = PublishedLatency.all(device);
    }

    /// @param simulatedMicroseconds one call of an ELF that holds nothing else, from start to wait
    /// @param measured              published for this herd, tile and ping-pong
    /// @param measuredOtherwise     the fastest published for the same kernel and shape with another herd, tile or ping-pong
    /// @param models                that need it, by name
    public record Entry(String kernel, String shape, String herd, String tile, boolean pingPong, double simulatedMicroseconds,
            Optional<PublishedLatency> measured, Optional<PublishedLatency> measuredOtherwise, List<String> models) {

        public Entry {
            models = List.copyOf(models);
        }
    }

    /// Adds the kernels of a model's baseline plan.
    public void add(String name, ModelConfig config) {
        var deployment = lowering.baseline(name, config);
        for (Phase phase : Phase.values()) {
            deployment.phase(phase).calls().forEach(call -> add(name, call));
        }
    }

    /// By kernel, then shape.
    public List<Entry> entries() {
        return entries.values().stream().sorted(Comparator.comparing(Entry::kernel)).toList();
    }

    private void add(String model, NpuCall call) {
        Launch launch = call.launches().getFirst();
        String shape = text(launch.shape());
        String herd = "%dx%d".formatted(launch.herd().columns(), launch.herd().rows());
        String key = String.join("|", launch.kernel(), shape, herd, text(launch.tile()), Boolean.toString(call.options().pingPong()));
        Entry known = entries.get(key);
        if (known == null) {
            double simulated = new DeviceHostClock(device).repeated(clock.time(Lowering.lower(call), device, LaunchClock.Packaging.XCLBIN)).microseconds();
            Map<Boolean, List<PublishedLatency>> same = published.stream().filter(row -> row.isOf(launch))
                    .collect(Collectors.partitioningBy(row -> row.isPlacedAs(launch, call.options())));
            entries.put(key, new Entry(launch.kernel(), shape, herd, text(launch.tile()), call.options().pingPong(), simulated, fastest(same.get(true)),
                    fastest(same.get(false)), List.of(model)));
        } else {
            TreeSet<String> models = new TreeSet<>(known.models());
            models.add(model);
            entries.put(key, new Entry(known.kernel(), known.shape(), known.herd(), known.tile(), known.pingPong(), known.simulatedMicroseconds(),
                    known.measured(), known.measuredOtherwise(), new ArrayList<>(models)));
        }
    }

    private static Optional<PublishedLatency> fastest(List<PublishedLatency> rows) {
        return rows.stream().min(Comparator.comparingDouble(PublishedLatency::microseconds));
    }

    private static String text(Map<String, Integer> extents) {
        return String.join(" ", extents.entrySet().stream().map(entry -> "%s=%d".formatted(entry.getKey(), entry.getValue())).toList());
    }
}
