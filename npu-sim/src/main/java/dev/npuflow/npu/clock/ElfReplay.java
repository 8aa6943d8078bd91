package dev.npuflow.npu.clock;

import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Stage;
import dev.npuflow.npu.trace.Span;
import java.util.List;
import java.util.function.Consumer;

/// Runs an ELF's launches whole and tells every span: one track a component, the launches and their configuration above them.
public final class ElfReplay {

    /// The name of these tracks in traces since there was one machine only.
    private static final String DEVICE = "array";
    private static final String LAUNCHES = "launches";

    private ElfReplay() {}

    /// @param start of the run, in picoseconds
    /// @param call  correlation id of the XRT call
    /// @return end of the run
    /// @throws dev.npuflow.fault.NpuflowException NPF-345 for what does not place
    public static long replay(ElfDescription elf, DeviceDescription device, Packaging packaging, long start, String call, Consumer<Span> spans) {
        LaunchClock.requirePlacement(elf, device);
        List<List<Stage>> stages = elf.launches().stream().map(launch -> device.stages(launch, elf)).toList();
        boolean configuredBefore = LaunchClock.startsConfigured(stages, packaging);
        long now = start;
        for (int launch = 0; launch < stages.size(); launch++) {
            String correlation = call + "/launch " + launch;
            for (Stage stage : stages.get(launch)) {
                if (!configuredBefore) {
                    long configured = now + stage.configuration();
                    spans.accept(new Span(DEVICE, LAUNCHES, stage.configurationLabel(), now, configured, 0, correlation));
                    now = configured;
                }
                long begun = now;
                Outcome outcome = stage.lay(stage.periods()).run((component, label, from, to, bytes, of) ->
                        spans.accept(new Span(stage.group(component), component, label, begun + from, begun + to, bytes, of)), correlation);
                now += outcome.end();
                spans.accept(new Span(DEVICE, LAUNCHES, stage.name(), begun, now, 0, correlation));
            }
        }
        return now;
    }
}
