package dev.npuflow.npu.kernel.silu;

/// The arithmetic of SiLU·mul. `StrictMath`, since its results are the same on every platform.
final class Silu {

    private Silu() {}

    static float multiplied(float gate, float up) {
        float exponential = (float) StrictMath.exp(-gate);
        return gate / (1 + exponential) * up;
    }
}
