package dev.npuflow.workflow.cli.sim;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.fault.OneLine;
import dev.npuflow.npu.clock.ElfReplay;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.clock.Timeline;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.trace.Span;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.workflow.cli.DeviceOptions;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.kernels.HerdOption;
import dev.npuflow.workflow.cli.kernels.NamedKernel;
import dev.npuflow.workflow.cli.kernels.RankingJson;
import dev.npuflow.workflow.cli.kernels.StatedSizes;
import dev.npuflow.workflow.cli.kernels.StatedSizes.Form;
import dev.npuflow.workflow.file.TraceFile;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.tuning.LoneKernel;
import dev.npuflow.workflow.tuning.LoneKernelClock;
import dev.npuflow.workflow.tuning.LoneKernelClock.Ranked;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `npuflow sim timeline gemv --shape m=2048,k=2048 --tile tile_m=8,m_input=4`.
@Command(name = "timeline", mixinStandardHelpOptions = true, description = "Shows one launch as text: who is busy when.")
final class TimelineCommand implements Runnable {

    /// What a line has beside its slices: the longest track's name, a blank and two bars.
    private static final int NAMES = 18;

    /// Slices of the window in JSON, whatever the terminal.
    private static final int SLICES = 100;

    @Mixin private DeviceOptions deviceOptions;

    @Parameters(paramLabel = "KERNEL", description = "a kernel, by the names of `kernels check`, such as gemv")
    private String kernel;

    @Option(names = "--shape", split = ",", required = true, paramLabel = "NAME=EXTENT", description = "such as m=2048,k=2048")
    private Map<String, Integer> shape;

    @Option(names = "--tile", split = ",", paramLabel = "NAME=EXTENT", description = "such as tile_m=8,m_input=4")
    private Map<String, Integer> tile = Map.of();

    @Mixin private HerdOption herd;

    @Option(names = "--ping-pong", negatable = true, fallbackValue = "true",
            description = "two of each buffer in L1 and L2, or one (default: as in mlir-air's benchmark)")
    private @Nullable Boolean pingPong;

    @Option(names = {"--loop-tiling", "--tiling"}, paramLabel = "N", description = "runtime loop tiling (default: as in mlir-air's benchmark)")
    private @Nullable Integer loopTiling;

    @Option(names = "--from", defaultValue = "0", paramLabel = "US", description = "start of the window in microseconds (default: ${DEFAULT-VALUE})")
    private double from;

    @Option(names = "--to", defaultValue = "20", paramLabel = "US", description = "end of the window in microseconds (default: ${DEFAULT-VALUE})")
    private double to;

    @Option(names = "--trace", paramLabel = "FILE", description = "also write Chrome trace events, such as out.json.gz")
    private Optional<Path> trace = Optional.empty();

    @Mixin private Output output;

    @Override public void run() {
        if (!(from >= 0 && to > from)) {
            throw NpuflowException.badInput("NPF-801", "--from, --to", "%s, %s".formatted(from, to), "0 <= from < to", "--from 0 --to 20");
        }
        DeviceDescription device = deviceOptions.description();
        LoneKernel launched = launched(device);
        LoneKernelClock clock = new LoneKernelClock(device);
        clock.blockers(launched).stream().findFirst().ifPresent(blocker -> {
            throw NpuflowException.badInput("NPF-345", "%s on %s".formatted(launched.id(), device.name()), blocker.message(), "a launch that places",
                    "this: " + blocker.remedy());
        });
        Ranked alone = clock.time(launched);
        output.show(text -> print(text, launched, alone, timeline(launched, device, text.width() - NAMES)),
                () -> json(launched, alone, timeline(launched, device, SLICES)));
    }

    private Timeline timeline(LoneKernel launched, DeviceDescription device, int slices) {
        Timeline timeline = new Timeline(Picoseconds.ofMicroseconds(from), Picoseconds.ofMicroseconds(to), slices);
        if (trace.isPresent()) {
            TraceFile.write(trace.get(), spans -> replay(launched, device, spans.andThen(timeline::add)));
        } else {
            replay(launched, device, timeline::add);
        }
        return timeline;
    }

    private static void print(TextOutput text, LoneKernel launched, Ranked alone, Timeline timeline) {
        text.line("%s %s; %s, loop tiling %d".formatted(launched.id(), launched.extents(), launched.configuration(), launched.options().loopTiling()));
        text.line(String.format(Locale.ROOT, "simulated alone: %.1f us from start to wait, bound by %s; %.1f us of them on the array", alone.microseconds(), alone.boundBy(),
                timeline.end().microseconds()));
        timeline.lines().forEach(line -> text.layout(OneLine.of(line)));
    }

    private static void replay(LoneKernel launched, DeviceDescription device, Consumer<Span> spans) {
        ElfReplay.replay(launched.elf(), device, Packaging.XCLBIN, 0, "call 0", spans);
    }

    private LoneKernel launched(DeviceDescription device) {
        NamedKernel named = NamedKernel.of(kernel, device);
        BenchmarkBuild usual = device.benchmark(named.id());
        if (loopTiling != null && loopTiling < 1) {
            throw NpuflowException.badInput("NPF-833", "--loop-tiling", loopTiling, "1 or more", "--loop-tiling 4");
        }
        return new LoneKernel(named.id(), named.form(), StatedSizes.shape(named, shape, Form.SHAPE), herd.herd(usual.herdRows()),
                StatedSizes.tile(named, tile, device.tileSizes(named.id()), Form.TILE),
                new ElfOptions(pingPong == null ? usual.pingPong() : pingPong, loopTiling == null ? usual.loopTiling() : loopTiling));
    }

    private Map<String, Object> json(LoneKernel launched, Ranked alone, Timeline timeline) {
        Map<String, Object> root = RankingJson.asked(launched);
        root.put("simulated_us", alone.microseconds());
        root.put("bound", alone.boundBy());
        root.put("array_us", timeline.end().microseconds());
        root.put("from_us", from);
        root.put("to_us", to);
        root.put("busy", timeline.busy());
        return root;
    }
}
