package dev.npuflow.workflow.registry;

import dev.npuflow.npu.array.ArrayClock;
import dev.npuflow.npu.array.DeviceHostClock;
import dev.npuflow.npu.calibration.Table;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.BaselineAssembler;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.Lowering;
import dev.npuflow.workflow.model.ModelConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Collects the kernels of baseline plans, each shape and tile once, and holds the published latencies against them (`measured/latencies.csv`, each with
/// its source).
public final class KernelRegistry {

    private static final List<String> COLUMNS =
            List.of("id", "family", "kernel", "shape", "herd", "tile", "packaging", "ping_pong", "loop_tiling", "microseconds", "measured", "source");

    private final DeviceDescription device;
    private final ArrayClock clock = new ArrayClock();
    private final List<Table.Row> published = published();
    private final SortedMap<String, Entry> entries = new TreeMap<>();

    public KernelRegistry(DeviceDescription device) {
        this.device = device;
    }

    /// @param simulatedMicroseconds one call of an ELF that holds nothing else, from start to wait
    /// @param measuredMicroseconds  published for the same kernel, shape, herd and tile; the id says which row
    /// @param models                that need it, by name
    public record Entry(String kernel, String shape, String herd, String tile, boolean pingPong, double simulatedMicroseconds,
            OptionalDouble measuredMicroseconds, Optional<String> measuredRow, List<String> models) {

        public Entry {
            models = List.copyOf(models);
        }
    }

    /// Adds the kernels of a model's baseline plan.
    public void add(String name, ModelConfig config) {
        var deployment = BaselineAssembler.assemble(BaselineAssembler.shapeOf(name, config), device.name(), new CompilerPlacement(device));
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
            Optional<Table.Row> row = published.stream().filter(candidate -> candidate.text("kernel").equals(launch.kernel()) && candidate.text("herd").equals(herd)
                    && sameExtents(candidate.text("shape"), launch.shape()) && candidate.text("tile").equals(text(launch.tile()))).findFirst();
            double simulated = (clock.time(Lowering.lower(call), device, ArrayClock.Packaging.XCLBIN).picoseconds() + new DeviceHostClock(device).repeatedDispatch()) / 1e6;
            OptionalDouble measured = row.map(found -> found.number("microseconds")).orElse(OptionalDouble.empty());
            entries.put(key, new Entry(launch.kernel(), shape, herd, text(launch.tile()), call.options().pingPong(), simulated, measured,
                    row.map(found -> found.text("id")), List.of(model)));
        } else {
            TreeSet<String> models = new TreeSet<>(known.models());
            models.add(model);
            entries.put(key, new Entry(known.kernel(), known.shape(), known.herd(), known.tile(), known.pingPong(), known.simulatedMicroseconds(),
                    known.measuredMicroseconds(), known.measuredRow(), new ArrayList<>(models)));
        }
    }

    /// Extents alike, whatever a plan adds for its padding.
    private static boolean sameExtents(String published, Map<String, Integer> shape) {
        TreeMap<String, Integer> plain = new TreeMap<>(shape);
        plain.remove("positions");
        TreeMap<String, Integer> wanted = new TreeMap<>();
        for (String extent : published.split(" ")) {
            String[] pair = extent.split("=", 2);
            if (pair.length == 2 && !pair[0].equals("positions")) {
                wanted.put(pair[0], Integer.parseInt(pair[1]));
            }
        }
        return wanted.equals(plain);
    }

    private static String text(Map<String, Integer> extents) {
        return String.join(" ", extents.entrySet().stream().map(entry -> "%s=%d".formatted(entry.getKey(), entry.getValue())).toList());
    }

    private static List<Table.Row> published() {
        try (InputStream file = KernelRegistry.class.getResourceAsStream("/measured/latencies.csv")) {
            if (file == null) {
                throw new IllegalStateException("the published latencies are not in the jar");
            }
            return Table.parse("measured/latencies.csv", new String(file.readAllBytes(), StandardCharsets.UTF_8), COLUMNS).rows();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
