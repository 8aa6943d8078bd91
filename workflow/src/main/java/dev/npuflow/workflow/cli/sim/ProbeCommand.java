package dev.npuflow.workflow.cli.sim;

import dev.npuflow.npu.aie.Probe;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.JsonOutput;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow sim probe`.
@Command(name = "probe", mixinStandardHelpOptions = true,
        description = "Latency and bandwidth of single transfers from DDR to the cores, beside their limits.")
final class ProbeCommand implements Runnable {

    @Spec private CommandSpec spec;
    @Mixin private DeviceOptions device;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    @Override public void run() {
        PrintWriter out = spec.commandLine().getOut();
        DeviceDescription description = device.description();
        List<Probe.Measurement> measurements = Probe.run(description);
        if (json) {
            Map<String, Object> root = new LinkedHashMap<>();
            root.put("device", description.name());
            root.put("transfers", measurements.stream().map(ProbeCommand::json).toList());
            JsonOutput.print(out, root);
            return;
        }
        out.printf(Locale.ROOT, "simulated on %s: DDR to shim to memtile to core, idle array%n%n", description.name());
        out.printf(Locale.ROOT, "%7s %10s %12s %10s %10s  %s%n", "columns", "bytes each", "latency us", "GB/s", "limit GB/s", "limited by");
        measurements.forEach(m -> out.printf(Locale.ROOT, "%7d %10d %12.3f %10.2f %10.2f  %s%n", m.columns(), m.bytes(), m.latency() / 1e6,
                m.bytesPerSecond() / 1e9, m.limit() / 1e9, m.limitedBy()));
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
