package dev.npuflow.workflow.host;

/// Transposes of (a, b, inner) arrays.
final class Transpose {

    private Transpose() {}

    /// (first, second, inner) → (second, first, inner).
    static short[] outerTwo(short[] rows, int first, int second, int inner) {
        short[] out = new short[rows.length];
        for (int i = 0; i < first; i++) {
            for (int j = 0; j < second; j++) {
                System.arraycopy(rows, (i * second + j) * inner, out, (j * first + i) * inner, inner);
            }
        }
        return out;
    }
}
