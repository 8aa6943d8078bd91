package dev.npuflow.workflow.reference;

/// The element-wise operators and the softmax.
final class Activations {

    private Activations() {}

    /// a + b, kept.
    static float[] add(float[] a, float[] b, Precision precision) {
        float[] out = new float[a.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = precision.keep(a[i] + b[i]);
        }
        return out;
    }

    /// SiLU(gate) kept, times `up`, kept.
    static float[] siluTimes(float[] gate, float[] up, Arithmetic arithmetic) {
        Precision precision = arithmetic.precision();
        float[] out = new float[gate.length];
        int chunk = 1024;
        arithmetic.workers().forEach(Math.ceilDiv(out.length, chunk), part -> {
            int end = Math.min(out.length, (part + 1) * chunk);
            for (int i = part * chunk; i < end; i++) {
                out[i] = precision.keep(silu(gate[i], precision) * up[i]);
            }
        });
        return out;
    }

    /// x / (1 + e^-x) in fp32, kept.
    static float silu(float x, Precision precision) {
        return precision.keep(x / (1f + (float) StrictMath.exp(-x)));
    }

    /// Softmax of the first `length` scores in place, in fp32: the maximum is subtracted first, the sum is fp32 in index order.
    ///
    /// @throws ArithmeticException if every score is -∞ or one is NaN: a causal query always sees itself, so something overflowed before
    static void softmax(float[] scores, int length) {
        float maximum = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < length; i++) {
            maximum = Math.max(maximum, scores[i]);
        }
        if (Float.isNaN(maximum) || maximum == Float.NEGATIVE_INFINITY) {
            throw new ArithmeticException("the largest score of %d positions is %s".formatted(length, maximum));
        }
        float sum = 0;
        for (int i = 0; i < length; i++) {
            scores[i] = (float) StrictMath.exp(scores[i] - maximum);
            sum += scores[i];
        }
        for (int i = 0; i < length; i++) {
            scores[i] /= sum;
        }
    }
}
