package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.kernels.StatedSizes.Form;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.tuning.LoneKernel;
import dev.npuflow.workflow.tuning.LoneKernelClock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `npuflow kernels check KERNEL`.
@Command(name = "check", mixinStandardHelpOptions = true,
        description = "Tells whether a kernel places with this herd and tile: exit 0 if so, else 1 with each broken limit, its cause and a remedy.")
final class CheckCommand implements Callable<Integer> {

    @Mixin private KernelOptions options;

    @Option(names = "--tile-m", paramLabel = "N", description = "rows of a tile")
    private @Nullable Integer tileM;

    @Option(names = "--m-input", paramLabel = "N", description = "rows of one call of the core function")
    private @Nullable Integer mInput;

    @Option(names = "--tile-n", paramLabel = "N", description = "columns or elements of a tile")
    private @Nullable Integer tileN;

    @Option(names = "--tile-k-l2", paramLabel = "N", description = "k of a panel in L2")
    private @Nullable Integer tileKL2;

    @Option(names = "--tile-k-l1", paramLabel = "N", description = "k of one call of the core function")
    private @Nullable Integer tileKL1;

    @Option(names = "--lqp", paramLabel = "N", description = "query rows of FlashAttention at once")
    private @Nullable Integer lqp;

    @Option(names = "--lkp", paramLabel = "N", description = "its key rows a tile")
    private @Nullable Integer lkp;

    @Option(names = "--num-q-tiles", paramLabel = "N", description = "its query tiles")
    private @Nullable Integer queryTiles;

    @Option(names = "--hpu", paramLabel = "N", description = "its heads at once")
    private @Nullable Integer headsAtOnce;

    @Option(names = "--cascade", paramLabel = "N", description = "cores that its keys are split over")
    private @Nullable Integer cascade;

    @Option(names = "--dv-chunks", paramLabel = "N", description = "parts of its value dimension")
    private @Nullable Integer valueChunks;

    @Mixin private HerdOption herd;

    @Mixin private Output output;

    @Override public Integer call() {
        NamedKernel named = options.kernel();
        BenchmarkBuild usual = options.benchmark();
        LoneKernel kernel = new LoneKernel(named.id(), named.form(), options.shape(), herd.herd(usual.herdRows()), StatedSizes.tile(named, KernelOptions.given(
                "tile_m", tileM, "m_input", mInput, "tile_n", tileN, "tile_k_l2", tileKL2, "tile_k_l1", tileKL1, "lqp", lqp,
                "lkp", lkp, "num_q_tiles", queryTiles, "hpu", headsAtOnce, "cascade", cascade, "dv_chunks", valueChunks),
                options.device().tileSizes(named.id()), Form.OPTION), new ElfOptions(options.pingPong().orElse(usual.pingPong()), options.loopTiling()));
        LoneKernelClock clock = new LoneKernelClock(options.device());
        List<Blocker> blockers = clock.blockers(kernel);
        output.show(text -> print(text, kernel, clock, blockers), () -> json(kernel, clock, blockers));
        return (blockers.isEmpty() ? ExitCode.PASSED : ExitCode.GATE_FAILED).code();
    }

    private static void print(TextOutput out, LoneKernel kernel, LoneKernelClock clock, List<Blocker> blockers) {
        out.line("%s: %s %s; %s, loop tiling %d".formatted(blockers.isEmpty() ? "legal" : "does not place", kernel.id(), kernel.extents(),
                kernel.configuration(), kernel.options().loopTiling()));
        for (Blocker blocker : blockers) {
            out.line("%s  %s".formatted(blocker.limit(), blocker.message()));
            out.line("  because " + blocker.cause());
            out.line("  " + blocker.remedy());
        }
        clock.warnings(kernel).forEach(warning -> out.line("warning: " + warning));
        if (blockers.isEmpty()) {
            LoneKernelClock.Ranked time = clock.time(kernel);
            out.line(String.format(Locale.ROOT, "simulated alone: %.1f us, bound by %s", time.microseconds(), time.boundBy()));
        }
    }

    private static Map<String, Object> json(LoneKernel kernel, LoneKernelClock clock, List<Blocker> blockers) {
        Map<String, Object> root = RankingJson.asked(kernel);
        root.put("legal", blockers.isEmpty());
        root.put("blockers", blockers.stream().map(RankingJson::blocker).toList());
        root.put("warnings", clock.warnings(kernel));
        root.put("simulated_us", blockers.isEmpty() ? clock.time(kernel).microseconds() : null);
        return root;
    }
}
