package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.npu.aie.Probe.Measurement;
import dev.npuflow.workflow.cli.View;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What `sim probe` shows of an array.
final class ProbeView {

    private ProbeView() {}

    static View of(String device, List<Measurement> measurements) {
        return new View(text -> print(text, device, measurements), () -> json(device, measurements));
    }

    private static void print(TextOutput text, String device, List<Measurement> measurements) {
        text.line("simulated on %s: DDR to shim to memtile to core, idle array".formatted(device));
        text.line("");
        TextTable table = new TextTable(0, Column.right("columns"), Column.right("bytes each"), Column.right("latency us"), Column.right("GB/s"),
                Column.right("limit GB/s"), Column.left("limited by"));
        measurements.forEach(m -> table.row(Integer.toString(m.columns()), Long.toString(m.bytes()), String.format(Locale.ROOT, "%.3f", m.latency().microseconds()),
                String.format(Locale.ROOT, "%.2f", gigabytes(m.bytesPerSecond())), String.format(Locale.ROOT, "%.2f", gigabytes(m.limit())), m.limitedBy()));
        text.table(table);
    }

    private static double gigabytes(double bytes) {
        return bytes / 1e9;
    }

    private static Map<String, Object> json(String device, List<Measurement> measurements) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("device", device);
        root.put("transfers", measurements.stream().map(ProbeView::json).toList());
        return root;
    }

    private static Map<String, Object> json(Measurement m) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("columns", m.columns());
        object.put("bytes", m.bytes());
        object.put("latency_us", m.latency().microseconds());
        object.put("gbps", gigabytes(m.bytesPerSecond()));
        object.put("limit_gbps", gigabytes(m.limit()));
        object.put("limited_by", m.limitedBy());
        return object;
    }
}
