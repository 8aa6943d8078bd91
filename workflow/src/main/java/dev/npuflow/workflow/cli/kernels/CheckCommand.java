package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.workflow.cli.JsonOutput;
import dev.npuflow.workflow.cli.Terminal;
import dev.npuflow.workflow.fault.ExitCode;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.tuning.LoneKernel;
import dev.npuflow.workflow.tuning.LoneKernelClock;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow kernels check KERNEL`.
@Command(name = "check", mixinStandardHelpOptions = true,
        description = "Tells whether a kernel places with this herd and tile: exit 0 if so, else 1 with each broken limit, its cause and a remedy.")
final class CheckCommand implements Callable<Integer> {

    /// As mlir-air's benchmarks build them.
    private static final Set<String> NO_PING_PONG = Set.of("gemv", "flash_attention");
    private static final Pattern HERD = Pattern.compile("([0-9]{1,4})(?:x([0-9]{1,4}))?");

    @Spec private CommandSpec spec;
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

    @Option(names = "--herd", paramLabel = "C|CxR", defaultValue = "8", description = "columns, or columns x rows (default: ${DEFAULT-VALUE})")
    private String herd;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    @Override public Integer call() {
        LoneKernel kernel = new LoneKernel(options.kernel(), options.shape(), herd(), options.stated(KernelOptions.given(
                "tile_m", tileM, "m_input", mInput, "tile_n", tileN, "tile_k_l2", tileKL2, "tile_k_l1", tileKL1, "lqp", lqp,
                "lkp", lkp, "num_q_tiles", queryTiles, "hpu", headsAtOnce, "cascade", cascade, "dv_chunks", valueChunks), options.device().tileSizes(options.kernel().id())),
                new ElfOptions(options.pingPong().orElse(!NO_PING_PONG.contains(options.kernel().id().value())), options.loopTiling()));
        LoneKernelClock clock = new LoneKernelClock(options.device());
        List<Blocker> blockers = clock.blockers(kernel);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonOutput.print(out, json(kernel, clock, blockers));
        } else {
            print(Terminal.text(spec), kernel, clock, blockers);
        }
        return (blockers.isEmpty() ? ExitCode.PASSED : ExitCode.GATE_FAILED).code();
    }

    /// Where no rows are stated, those of the kernel.
    private Herd herd() {
        Matcher matcher = HERD.matcher(herd);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < 1 || matcher.group(2) != null && Integer.parseInt(matcher.group(2)) < 1) {
            throw NpuflowException.badInput("NPF-834", "--herd", herd, "columns, or columns x rows", "--herd 8x1");
        }
        int rows = switch (options.kernel().id().value()) {
            case "gemm", "gemv_swiglu_rms", "flash_attention" -> 4;
            case "gemv_add" -> 2;
            default -> 1;
        };
        return new Herd(Integer.parseInt(matcher.group(1)), matcher.group(2) == null ? rows : Integer.parseInt(matcher.group(2)));
    }

    private static void print(TextOutput out, LoneKernel kernel, LoneKernelClock clock, List<Blocker> blockers) {
        out.line("%s: %s %s; %s, loop tiling %d".formatted(blockers.isEmpty() ? "legal" : "does not place", kernel.kernel().id(), kernel.extents(),
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
        Map<String, Object> root = new LinkedHashMap<>(RankingJson.configuration(kernel));
        root.put("kernel", kernel.kernel().id().value());
        root.put("shape", kernel.shape());
        root.put("loop_tiling", kernel.options().loopTiling());
        root.put("legal", blockers.isEmpty());
        root.put("blockers", blockers.stream().map(RankingJson::blocker).toList());
        root.put("warnings", clock.warnings(kernel));
        root.put("simulated_us", blockers.isEmpty() ? clock.time(kernel).microseconds() : null);
        return root;
    }
}
