package dev.npuflow.workflow.host;

import dev.npuflow.npu.kernel.Bfloat16;
import java.util.Arrays;

/// Attention on the CPU, in fp32 from bf16 keys and values as upstream's numpy does (docs/upstream.md, "The ELFs of llama32_1b"), rounded once at the end.
/// Grouped queries: query head h reads key/value head h / (heads / kv_heads).
final class HostAttention {

    private final int heads;
    private final int keyValueHeads;
    private final int headDim;
    private final KeyValueCache cache;

    HostAttention(int heads, int keyValueHeads, int headDim, KeyValueCache cache) {
        this.heads = heads;
        this.keyValueHeads = keyValueHeads;
        this.headDim = headDim;
        this.cache = cache;
    }

    /// One query position against the first `visible` cached positions of a layer.
    ///
    /// @param query     (heads, head_dim) from `offset` on
    /// @param attention (heads, head_dim), written from `offset` on
    void attend(int layer, int visible, short[] query, short[] attention, int offset) {
        short[] keys = cache.keys(layer);
        short[] values = cache.values(layer);
        float scale = (float) (1 / Math.sqrt(headDim));
        float[] scores = new float[visible];
        float[] sum = new float[headDim];
        for (int head = 0; head < heads; head++) {
            int group = head / (heads / keyValueHeads);
            for (int position = 0; position < visible; position++) {
                scores[position] = scale * dot(query, offset + head * headDim, keys, cache.at(group, position));
            }
            softmax(scores);
            Arrays.fill(sum, 0);
            for (int position = 0; position < visible; position++) {
                int at = cache.at(group, position);
                for (int i = 0; i < headDim; i++) {
                    sum[i] += scores[position] * Bfloat16.toFloat(values[at + i]);
                }
            }
            for (int i = 0; i < headDim; i++) {
                attention[offset + head * headDim + i] = Bfloat16.fromFloat(sum[i]);
            }
        }
    }

    private float dot(short[] query, int queryAt, short[] keys, int keyAt) {
        float sum = 0;
        for (int i = 0; i < headDim; i++) {
            sum += Bfloat16.toFloat(query[queryAt + i]) * Bfloat16.toFloat(keys[keyAt + i]);
        }
        return sum;
    }

    /// In place; the maximum is subtracted first, so no score overflows.
    static void softmax(float[] scores) {
        float maximum = Float.NEGATIVE_INFINITY;
        for (float score : scores) {
            maximum = Math.max(maximum, score);
        }
        float sum = 0;
        for (int i = 0; i < scores.length; i++) {
            scores[i] = (float) StrictMath.exp(scores[i] - maximum);
            sum += scores[i];
        }
        for (int i = 0; i < scores.length; i++) {
            scores[i] /= sum;
        }
    }
}
