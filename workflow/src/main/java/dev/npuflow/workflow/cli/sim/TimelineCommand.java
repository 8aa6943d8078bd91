package dev.npuflow.workflow.cli.sim;

import dev.npuflow.npu.clock.ElfReplay;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.clock.Timeline;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.trace.ChromeTrace;
import dev.npuflow.workflow.cli.Terminal;
import dev.npuflow.workflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `npuflow sim timeline gemv --shape m=2048,k=2048 --tile tile_m=8,m_input=4`.
@Command(name = "timeline", mixinStandardHelpOptions = true, description = "Shows one launch as text: who is busy when.")
final class TimelineCommand implements Runnable {

    /// What a line has beside its slices: the longest track's name, a blank and two bars.
    private static final int NAMES = 18;

    @Spec private CommandSpec spec;
    @Mixin private DeviceOptions device;

    @Parameters(paramLabel = "KERNEL", description = "kernel id, such as gemv")
    private String kernel;

    @Option(names = "--shape", split = ",", required = true, paramLabel = "NAME=EXTENT", description = "such as m=2048,k=2048")
    private Map<String, Integer> shape;

    @Option(names = "--tile", split = ",", paramLabel = "NAME=EXTENT", description = "such as tile_m=8,m_input=4")
    private Map<String, Integer> tile = Map.of();

    @Option(names = "--herd", defaultValue = "8x1", paramLabel = "COLUMNSxROWS", description = "default: ${DEFAULT-VALUE}")
    private String herd;

    @Option(names = "--ping-pong", negatable = true, defaultValue = "true", fallbackValue = "true", description = "two buffers (default)")
    private boolean pingPong;

    @Option(names = "--tiling", defaultValue = "16", description = "runtime loop tiling (default: ${DEFAULT-VALUE})")
    private int tiling;

    @Option(names = "--from", defaultValue = "0", paramLabel = "US", description = "start of the window in microseconds (default: ${DEFAULT-VALUE})")
    private double from;

    @Option(names = "--to", defaultValue = "20", paramLabel = "US", description = "end of the window in microseconds (default: ${DEFAULT-VALUE})")
    private double to;

    @Option(names = "--trace", paramLabel = "FILE", description = "also write Chrome trace events, such as out.json.gz")
    private Optional<Path> trace = Optional.empty();

    @Override public void run() {
        if (!herd.matches("[1-9][0-9]?x[1-9][0-9]?") || !(from >= 0 && to > from) || tiling < 1) {
            throw NpuflowException.badInput("NPF-801", "--herd, --from, --to, --tiling", "%s, %s, %s, %d".formatted(herd, from, to, tiling),
                    "a herd such as 8x1, 0 <= from < to and a tiling of at least 1", "--herd 8x1 --from 0 --to 20");
        }
        String[] extents = herd.split("x");
        LaunchDescription launch = new LaunchDescription(kernel, new KernelId(kernel), kernel, new TreeMap<>(shape), new TreeMap<>(), Integer.parseInt(extents[0]),
                Integer.parseInt(extents[1]), new TreeMap<>(tile), new TreeMap<>());
        ElfDescription elf = new ElfDescription("timeline", List.of(launch), List.of(), pingPong, tiling);
        Timeline timeline = new Timeline(Math.round(from * 1e6), Math.round(to * 1e6), Terminal.text(spec).width() - NAMES);
        if (trace.isPresent()) {
            try (ChromeTrace chrome = new ChromeTrace(trace.get())) {
                ElfReplay.replay(elf, device.description(), Packaging.XCLBIN, 0, "call 0", span -> {
                    chrome.add(span);
                    timeline.add(span);
                });
            }
        } else {
            ElfReplay.replay(elf, device.description(), Packaging.XCLBIN, 0, "call 0", timeline::add);
        }
        timeline.lines().forEach(spec.commandLine().getOut()::println);
    }
}
