package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.Progress;
import dev.npuflow.workflow.cli.ProgressOptions;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.tuning.LoneKernel;
import dev.npuflow.workflow.tuning.LoneKernelClock;
import dev.npuflow.workflow.tuning.LoneKernelClock.BrokenLimit;
import dev.npuflow.workflow.tuning.LoneKernelClock.Ranked;
import dev.npuflow.workflow.tuning.LoneKernelClock.Tuning;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow kernels tune KERNEL`.
@Command(name = "tune", mixinStandardHelpOptions = true,
        description = "Simulates the legal herds and tiles of a kernel and ranks them by the time of the kernel alone, from start to wait.")
final class TuneCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private KernelOptions options;

    @Option(names = "--top", paramLabel = "N", defaultValue = "10", description = "so many lines (default: ${DEFAULT-VALUE})")
    private int top;

    @Mixin private Output output;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Override public Integer call() {
        NamedKernel kernel = options.kernel();
        if (!options.device().choosesTiles(kernel.id())) {
            throw NpuflowException.badInput("NPF-835", "kernel without tiles", kernel.id(), "a kernel with tiles to choose",
                    "kernels check");
        }
        DeviceDescription device = options.device();
        LoneKernel untiled = new LoneKernel(kernel.id(), kernel.form(), options.shape(), new Herd(1, 1), new TreeMap<>(), new ElfOptions(true,
                options.loopTiling()));
        Tuning tuning;
        try (Progress progress = progressOptions.begin(spec.commandLine().getErr(), 1)) {
            progress.next("simulating herds and tiles");
            tuning = new LoneKernelClock(device).tune(untiled, options.pingPong().map(List::of).orElse(List.of(true, false)));
        }
        String source = "simulated on %s".formatted(device.name());
        output.show(text -> print(text, untiled, tuning, source), () -> tree(untiled, tuning, source));
        return (tuning.ranking().isEmpty() ? ExitCode.GATE_FAILED : ExitCode.PASSED).code();
    }

    private static Map<String, Object> tree(LoneKernel untiled, Tuning tuning, String source) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("kernel", untiled.id().value());
        root.put("shape", untiled.shape());
        root.put("loop_tiling", untiled.options().loopTiling());
        root.put("candidates", tuning.candidates());
        root.put("legal", tuning.legal());
        root.put("simulated", tuning.simulated());
        root.put("ranking", tuning.ranking().stream().map(RankingJson::ranked).toList());
        root.put("limits", tuning.limits().stream().map(RankingJson::limit).toList());
        root.put("source", source);
        return root;
    }

    private void print(TextOutput out, LoneKernel untiled, Tuning tuning, String source) {
        out.line("%s %s, loop tiling %d: %d of %d herds and tiles place, %d %s".formatted(untiled.id(), untiled.extents(),
                untiled.options().loopTiling(), tuning.legal(), tuning.candidates(), tuning.simulated(), source));
        if (tuning.candidates() == 0) {
            out.line("no herd and tile divides the shape: expected %s".formatted(options.device().divisible(untiled.id())));
        }
        for (BrokenLimit limit : tuning.limits()) {
            out.line("%s rules out %s %d, such as %s:".formatted(limit.blocker().limit(), limit.candidates() == tuning.candidates() ? "all" : limit.candidates() + " of",
                    tuning.candidates(), limit.last().configuration()));
            out.line("  " + limit.blocker().message());
            out.line("  because " + limit.blocker().cause());
            out.line("  " + limit.blocker().remedy());
        }
        for (Ranked ranked : tuning.ranking().stream().limit(Math.max(1, top)).toList()) {
            out.line(String.format(Locale.ROOT, "%10.1f us  %s, bound by %s", ranked.microseconds(), ranked.kernel().configuration(), ranked.boundBy()), 15);
        }
    }
}
