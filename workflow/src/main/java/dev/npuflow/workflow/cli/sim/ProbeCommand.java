package dev.npuflow.workflow.cli.sim;

import dev.npuflow.npu.aie.Probe;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.DeviceOptions;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `npuflow sim probe`.
@Command(name = "probe", mixinStandardHelpOptions = true,
        description = "Latency and bandwidth of single transfers from DDR to the cores, beside their limits.")
final class ProbeCommand implements Runnable {

    @Mixin private DeviceOptions device;

    @Mixin private Output output;

    @Override public void run() {
        DeviceDescription description = device.description();
        List<Probe.Measurement> measurements = Probe.run(description);
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("device", description.name());
        root.put("transfers", measurements.stream().map(ProbeCommand::json).toList());
        output.show(text -> print(text, description, measurements), () -> root);
    }

    private static void print(TextOutput text, DeviceDescription description, List<Probe.Measurement> measurements) {
        text.line("simulated on %s: DDR to shim to memtile to core, idle array".formatted(description.name()));
        text.line("");
        TextTable table = new TextTable(0, Column.right("columns"), Column.right("bytes each"), Column.right("latency us"), Column.right("GB/s"),
                Column.right("limit GB/s"), Column.left("limited by"));
        measurements.forEach(m -> table.row(Integer.toString(m.columns()), Long.toString(m.bytes()), String.format(Locale.ROOT, "%.3f", m.latency() / 1e6),
                String.format(Locale.ROOT, "%.2f", m.bytesPerSecond() / 1e9), String.format(Locale.ROOT, "%.2f", m.limit() / 1e9), m.limitedBy()));
        text.table(table);
    }

    private static Map<String, Object> json(Probe.Measurement m) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("columns", m.columns());
        object.put("bytes", m.bytes());
        object.put("latency_us", m.latency() / 1e6);
        object.put("gbps", m.bytesPerSecond() / 1e9);
        object.put("limit_gbps", m.limit() / 1e9);
        object.put("limited_by", m.limitedBy());
        return object;
    }
}
