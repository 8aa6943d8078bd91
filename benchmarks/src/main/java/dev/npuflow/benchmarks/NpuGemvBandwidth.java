package dev.npuflow.benchmarks;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.kernel.Workers;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.launch.LaunchDescription;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/// The simulated NPU's own GEMV from mapped weights against plain sequential reading of the same bytes, in one run: rounds of
/// reading and of every shape alternate, since a machine's memory bandwidth changes from minute to minute.
///
///     java … WithVectors dev.npuflow.benchmarks.NpuGemvBandwidth [directory for a temporary file of 525 MB]
public final class NpuGemvBandwidth {

    private static final int WARM_UP_ROUNDS = 4;
    private static final int ROUNDS = 25;
    private static final double TARGET = 0.85;
    /// Projections and LM head of Llama-3.2-1B.
    private static final List<int[]> SHAPES = List.of(new int[] {2048, 2048}, new int[] {8192, 2048}, new int[] {2048, 8192},
            new int[] {128256, 2048});

    private final MappedWeights weights;
    private final Kernel gemv = Kernels.byId(GemvKernel.ID).orElseThrow();

    private NpuGemvBandwidth(MappedWeights weights) {
        this.weights = weights;
    }

    public static void main(String[] arguments) throws IOException {
        Optional<String> directory = Optional.of(arguments).filter(a -> a.length > 0).map(a -> a[0]);
        try (MappedWeights weights = MappedWeights.create(directory, 128256L * 2048 * 2)) {
            System.out.printf(Locale.ROOT, "NPU's functional GEMV, mapped weights, %d rounds: GB/s and share of reading, median and best%n",
                    ROUNDS);
            for (int threads : new int[] {1, 2}) {
                new NpuGemvBandwidth(weights).compare(threads);
            }
        }
    }

    private record Ports(Map<String, MemorySegment> memory, int activePositions, Workers workers) implements Operands {
        @Override
        public MemorySegment port(String name) {
            return memory.get(name);
        }
    }

    private void compare(int threads) {
        double[] reading = new double[ROUNDS];
        double[][] multiplying = new double[SHAPES.size()][ROUNDS];
        try (Workers workers = new Workers(threads)) {
            for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
                int kept = Math.max(round, 0);
                reading[kept] = gigabytesPerSecond(() -> weights.readAll(threads, (parts, part) -> workers.run(parts, part::accept)));
                for (int shape = 0; shape < SHAPES.size(); shape++) {
                    int[] size = SHAPES.get(shape);
                    multiplying[shape][kept] = gigabytesPerSecond(() -> multiplyAll(size[0], size[1], workers));
                }
            }
        }
        System.out.printf(Locale.ROOT, "%d thread%s  sequential read   %5.1f         %5.1f%n", threads, threads == 1 ? " " : "s", median(reading),
                best(reading));
        for (int shape = 0; shape < SHAPES.size(); shape++) {
            double[] rates = multiplying[shape];
            double ratio = median(rates) / median(reading);
            double bestRatio = best(rates) / best(reading);
            System.out.printf(Locale.ROOT, "            %6d x %-6d   %5.1f %3.0f %%   %5.1f %3.0f %%%s%n", SHAPES.get(shape)[0], SHAPES.get(shape)[1],
                    median(rates), 100 * ratio, best(rates), 100 * bestRatio,
                    threads == 2 && Math.max(ratio, bestRatio) < TARGET ? "  below the target of 85 %" : "");
        }
    }

    /// Goes once through the whole file, in matrices one after the other, so that no cache holds what comes next.
    private long multiplyAll(int m, int k, Workers workers) {
        long bytes = 2L * m * k;
        LaunchDescription launch = new LaunchDescription("gemv", GemvKernel.ID, "mv", new TreeMap<>(Map.of("m", m, "k", k)), new TreeMap<>(), 8, 1,
                new TreeMap<>(), new TreeMap<>());
        long used = 0;
        MemorySegment vector = weights.data().asSlice(0, 2L * k);
        MemorySegment out = Arena.ofAuto().allocate(2L * m, Long.BYTES);
        for (; used + bytes <= weights.data().byteSize(); used += bytes) {
            gemv.execute(launch, new Ports(Map.of("matrix", weights.data().asSlice(used, bytes), "vector", vector, "out", out), 1, workers));
        }
        return used;
    }

    private static double gigabytesPerSecond(LongSupplier work) {
        long start = System.nanoTime();
        long bytes = work.getAsLong();
        return bytes / (double) (System.nanoTime() - start);
    }

    private static double best(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
