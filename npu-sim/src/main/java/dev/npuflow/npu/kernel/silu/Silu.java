package dev.npuflow.npu.kernel.silu;

import dev.npuflow.npu.kernel.Bfloat16;

/// The arithmetic of SiLU·mul. A gate is a bf16, so there are only 65,536 SiLUs; they are computed once, in fp32, with
/// `StrictMath`, whose results are the same on every platform.
public final class Silu {

    private static final float[] OF_GATE = ofEveryGate();

    private Silu() {}

    /// SiLU of any fp32 value.
    public static float of(float gate) {
        return gate / (1 + (float) StrictMath.exp(-gate));
    }

    /// @param gate exactly a bf16
    static float multiplied(float gate, float up) {
        return OF_GATE[Float.floatToRawIntBits(gate) >>> 16] * up;
    }

    private static float[] ofEveryGate() {
        float[] table = new float[1 << 16];
        for (int bits = 0; bits < table.length; bits++) {
            float gate = Bfloat16.toFloat((short) bits);
            table[bits] = of(gate);
        }
        return table;
    }
}
