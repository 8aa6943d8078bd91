package dev.npuflow.workflow.reference;

/// Fp32 activations as three bf16 values each, so that a dot product of bf16 values can take them:
///
///     x = high + middle + low      24 bits of an fp32, 8 a part; high is the nearest bf16, the others what is left
///
/// Each subtraction is exact, since what is left has no more bits than the part that was taken. W·x is then the sum of three products, and W is read once for
/// all three.
final class Bfloat16Parts {

    static final int COUNT = 3;

    private Bfloat16Parts() {}

    /// @param x positions × columns
    /// @return 3 · positions × columns: high, middle and low of a position behind each other
    static float[] of(float[] x, int columns) {
        float[] parts = new float[Math.multiplyExact(COUNT, x.length)];
        for (int from = 0; from < x.length; from += columns) {
            for (int i = 0; i < columns; i++) {
                float left = x[from + i];
                for (int part = 0; part < COUNT; part++) {
                    float taken = Bfloat16.round(left);
                    parts[COUNT * from + part * columns + i] = taken;
                    left -= taken;
                }
            }
        }
        return parts;
    }

    /// @param products 3 · positions × rows, of [#of]
    /// @return positions × rows; the small parts are added first
    static float[] sum(float[] products, int rows) {
        float[] sums = new float[products.length / COUNT];
        for (int from = 0; from < sums.length; from += rows) {
            for (int row = 0; row < rows; row++) {
                int high = COUNT * from + row;
                sums[from + row] = products[high] + (products[high + rows] + products[high + 2 * rows]);
            }
        }
        return sums;
    }
}
