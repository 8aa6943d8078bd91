package dev.npuflow.npu.array;

import dev.npuflow.npu.array.ArrayClock.Packaging;
import dev.npuflow.npu.array.flow.Flows;
import dev.npuflow.npu.array.flow.Stage;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.trace.Span;
import java.util.function.Consumer;

/// Runs an ELF's launches whole and tells every span: one track a channel, memtile and core, the launches and their configuration above them.
public final class ElfReplay {

    private ElfReplay() {}

    /// @param start of the run, in picoseconds
    /// @param call  correlation id of the XRT call
    /// @return end of the run
    /// @throws dev.npuflow.npu.NpuException NPF-345 for what does not place
    public static long replay(ElfDescription elf, DeviceDescription device, Packaging packaging, long start, String call, Consumer<Span> spans) {
        ArrayClock.requirePlacement(elf, device);
        long now = start;
        int number = 0;
        for (LaunchDescription launch : elf.launches()) {
            String correlation = call + "/launch " + number++;
            for (Stage stage : Flows.of(launch)) {
                if (packaging == Packaging.ELF) {
                    long configured = now + ArrayClock.reconfiguration(stage, device);
                    spans.accept(new Span("array", "launches", "configure " + stage.cores() + " cores", now, configured, 0, correlation));
                    now = configured;
                }
                long begun = now;
                Outcome outcome = ArrayClock.run(stage, elf, device, correlation, (component, label, from, to, bytes, of) ->
                        spans.accept(new Span(process(component), component, label, begun + from, begun + to, bytes, of)));
                now += outcome.end();
                spans.accept(new Span("array", "launches", stage.launch().name(), begun, now, 0, correlation));
            }
        }
        return now;
    }

    private static String process(String component) {
        String[] words = component.split(" ");
        String last = words[words.length - 1];
        return last.matches("\\d\\d(\\.\\d)?") ? "column " + last.substring(0, 2) : "array";
    }
}
