package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import java.util.Arrays;

/// Rows of the NPU against the same rows of the reference, as upstream's diagnosis counts (docs/upstream.md, "Diagnosis"): a cosine a row, 0 where a
/// row has no length; errors element by element, relative to max(|reference|, 1e-6).
public record RowComparison(Cosine cosine, Errors errors) {

    private static final double SMALLEST_DENOMINATOR = 1e-6;

    public record Cosine(double min, double p5, double median, double mean) {}

    public record Errors(double maxAbs, double meanAbs, double maxRel, double meanRel) {}

    /// @param npu       rows · width bf16 values, at least those of `reference`
    /// @param reference rows · width bf16 values
    static RowComparison of(short[] npu, short[] reference, int rows) {
        int width = reference.length / rows;
        double[] cosines = new double[rows];
        double maxAbs = 0;
        double sumAbs = 0;
        double maxRel = 0;
        double sumRel = 0;
        for (int row = 0; row < rows; row++) {
            double dot = 0;
            double npuSquares = 0;
            double referenceSquares = 0;
            for (int i = row * width; i < (row + 1) * width; i++) {
                double a = Bfloat16.toFloat(npu[i]);
                double b = Bfloat16.toFloat(reference[i]);
                dot += a * b;
                npuSquares += a * a;
                referenceSquares += b * b;
                double abs = Math.abs(a - b);
                double rel = abs / Math.max(Math.abs(b), SMALLEST_DENOMINATOR);
                maxAbs = Math.max(maxAbs, abs);
                maxRel = Math.max(maxRel, rel);
                sumAbs += abs;
                sumRel += rel;
            }
            double lengths = Math.sqrt(npuSquares) * Math.sqrt(referenceSquares);
            cosines[row] = lengths > 0 && Double.isFinite(lengths) ? Math.clamp(dot / lengths, -1, 1) : 0;
        }
        Arrays.sort(cosines);
        return new RowComparison(
                new Cosine(cosines[0], percentile(cosines, 0.05), percentile(cosines, 0.5), Arrays.stream(cosines).average().orElse(0)),
                new Errors(maxAbs, sumAbs / reference.length, maxRel, sumRel / reference.length));
    }

    /// Linear between neighbours, as numpy's.
    private static double percentile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
