package dev.npuflow.workflow.host;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.model.Rope;

/// Look-up rows for RoPE on the NPU: [cos(rotaryDim/2) | sin(rotaryDim/2)], half-split convention (docs/upstream.md, "Layout"), bf16.
final class RopeTable {

    private final Rope rope;

    RopeTable(Rope rope) {
        this.rope = rope;
    }

    /// (positions · heads, rotaryDim): the row of a position, once for each head, of one pass. `positions` are its real tokens: what a launch is padded to
    /// says nothing of how long the text is.
    short[] rows(int firstPosition, int positions, int heads) {
        float[] inverseFrequencies = rope.inverseFrequencies(firstPosition + positions);
        int half = inverseFrequencies.length;
        short[] rows = new short[positions * heads * 2 * half];
        short[] row = new short[2 * half];
        for (int position = 0; position < positions; position++) {
            for (int i = 0; i < half; i++) {
                float angle = (firstPosition + position) * inverseFrequencies[i];
                row[i] = Bfloat16.fromFloat((float) StrictMath.cos(angle) * rope.attentionFactor());
                row[half + i] = Bfloat16.fromFloat((float) StrictMath.sin(angle) * rope.attentionFactor());
            }
            for (int head = 0; head < heads; head++) {
                System.arraycopy(row, 0, rows, (position * heads + head) * row.length, row.length);
            }
        }
        return rows;
    }
}
