package dev.npuflow.workflow.reference;

import dev.npuflow.benchmarks.MappedWeights;
import dev.npuflow.workflow.model.Tensor;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;

/// bf16 GEMV from mapped weights against plain sequential reading of the same bytes, in one run: rounds of reading and of every shape alternate, since
/// a machine's memory bandwidth changes from minute to minute. A round goes once through the whole file, in matrices of the shape one after the other,
/// so that no cache holds what comes next.
///
///     java … WithVectors dev.npuflow.workflow.reference.GemvBandwidth [directory for a temporary file of 525 MB]
public final class GemvBandwidth {

    private static final int WARM_UP_ROUNDS = 4;
    private static final int ROUNDS = 25;
    /// The shapes: projections and LM head of Llama-3.2-1B.
    private static final List<int[]> SHAPES = List.of(new int[] {2048, 2048}, new int[] {8192, 2048}, new int[] {2048, 8192}, new int[] {128256, 2048});
    private static final double TARGET = 0.85;

    private final PrintStream out;
    private final MappedWeights weights;

    private GemvBandwidth(PrintStream out, MappedWeights weights) {
        this.out = out;
        this.weights = weights;
    }

    public static void main(String[] arguments) throws IOException {
        try (MappedWeights weights = MappedWeights.create(Optional.of(arguments).filter(a -> a.length > 0).map(a -> a[0]), 128256L * 2048 * 2)) {
            new GemvBandwidth(System.out, weights).run();
        }
    }

    private void run() {
        DotProduct dotProduct = DotProducts.choose().provider();
        out.printf(Locale.ROOT, "bf16 GEMV, %s, mapped weights, %d rounds: GB/s and share of sequential reading, median and best round%n",
                dotProduct.name(), ROUNDS);
        for (int threads : new int[] {1, 2}) {
            try (WorkerPool workers = new WorkerPool(threads)) {
                compare(threads, new Arithmetic(dotProduct, workers, Precision.BF16));
            }
        }
    }

    private void compare(int threads, Arithmetic arithmetic) {
        double[] reading = new double[ROUNDS];
        double[][] multiplying = new double[SHAPES.size()][ROUNDS];
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            int kept = Math.max(round, 0);
            reading[kept] = gigabytesPerSecond(() -> weights.readAll(threads, arithmetic.workers()::forEach));
            for (int shape = 0; shape < SHAPES.size(); shape++) {
                int[] size = SHAPES.get(shape);
                multiplying[shape][kept] = gigabytesPerSecond(() -> multiplyAll(size[0], size[1], arithmetic));
            }
        }
        out.printf(Locale.ROOT, "%d thread%s  sequential read   %5.1f         %5.1f%n", threads, threads == 1 ? " " : "s", median(reading), best(reading));
        for (int shape = 0; shape < SHAPES.size(); shape++) {
            double ratio = median(multiplying[shape]) / median(reading);
            double bestRatio = best(multiplying[shape]) / best(reading);
            out.printf(Locale.ROOT, "            %6d x %-6d   %5.1f %3.0f %%   %5.1f %3.0f %%%s%n", SHAPES.get(shape)[0], SHAPES.get(shape)[1],
                    median(multiplying[shape]), 100 * ratio, best(multiplying[shape]), 100 * bestRatio,
                    threads == 2 && Math.max(ratio, bestRatio) < TARGET ? "  below the target of 85 %" : "");
        }
    }

    /// @return bytes of weights that were used
    private long multiplyAll(int rows, int columns, Arithmetic arithmetic) {
        long bytes = 2L * rows * columns;
        float[] x = new float[columns];
        Random random = new Random(columns);
        for (int i = 0; i < columns; i++) {
            x[i] = Bfloat16.round(random.nextFloat());
        }
        long used = 0;
        for (; used + bytes <= weights.data().byteSize(); used += bytes) {
            new Linear(new Tensor("weight", rows, columns, weights.data().asSlice(used, bytes)), Optional.empty()).apply(x, 1, arithmetic);
        }
        return used;
    }

    private static double gigabytesPerSecond(LongSupplier work) {
        long start = System.nanoTime();
        long bytes = work.getAsLong();
        return bytes / (double) (System.nanoTime() - start);
    }

    private static double best(double[] values) {
        return DoubleStream.of(values).max().orElseThrow();
    }

    private static double median(double[] values) {
        return DoubleStream.of(values).sorted().toArray()[values.length / 2];
    }
}
