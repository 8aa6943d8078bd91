package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import java.util.Arrays;

/// Arithmetic on bf16 rows for the lens: how far apart, equal, transposed.
final class Bf16Rows {

    private Bf16Rows() {}

    /// The largest |npu − reference| / |reference| of any row, Euclidean; infinite where a value is not finite or a row has no length.
    static double difference(short[] npu, short[] reference, int rows) {
        double largest = 0;
        for (int row = 0; row < rows; row++) {
            largest = Math.max(largest, difference(npu, reference, rows, row));
        }
        return largest;
    }

    /// The same of a rounded value and what it was rounded from, relative to the latter.
    static double difference(float[] rounded, float[] exact, int rows) {
        int width = exact.length / rows;
        double largest = 0;
        for (int row = 0; row < rows; row++) {
            double squares = 0;
            double apart = 0;
            for (int i = row * width; i < (row + 1) * width; i++) {
                double delta = (double) rounded[i] - exact[i];
                squares += (double) exact[i] * exact[i];
                apart += delta * delta;
            }
            largest = Math.max(largest, apart == 0 ? 0 : Math.sqrt(apart / squares));
        }
        return largest;
    }

    /// Index of the first row that is further apart than `limit`; `rows` if none is.
    static int firstBeyond(short[] npu, short[] reference, int rows, double limit) {
        int row = 0;
        while (row < rows && difference(npu, reference, rows, row) <= limit) {
            row++;
        }
        return row;
    }

    private static double difference(short[] npu, short[] reference, int rows, int row) {
        int width = reference.length / rows;
        double squares = 0;
        double apart = 0;
        for (int i = row * width; i < (row + 1) * width; i++) {
            double expected = Bfloat16.toFloat(reference[i]);
            double delta = Bfloat16.toFloat(npu[i]) - expected;
            squares += expected * expected;
            apart += delta * delta;
        }
        double share = apart == 0 ? 0 : Math.sqrt(apart / squares);
        return Double.isFinite(share) ? share : Double.POSITIVE_INFINITY;
    }

    static boolean finite(short[] values) {
        for (short value : values) {
            if (!Float.isFinite(Bfloat16.toFloat(value))) {
                return false;
            }
        }
        return true;
    }

    /// Plus or minus.
    static boolean zeros(short[] values) {
        for (short value : values) {
            if ((value & 0x7fff) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Whether `values` begins with all of `known`.
    static boolean begins(short[] values, short[] known) {
        return values.length >= known.length && Arrays.equals(values, 0, known.length, known, 0, known.length);
    }

    /// (first, second, inner) → (second, first, inner).
    static short[] transposed(short[] rows, int first, int second, int inner) {
        short[] out = new short[rows.length];
        for (int i = 0; i < first; i++) {
            for (int j = 0; j < second; j++) {
                System.arraycopy(rows, (i * second + j) * inner, out, (j * first + i) * inner, inner);
            }
        }
        return out;
    }
}
