package dev.npuflow.acceptance;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.List;

/// Attention in double precision, written for faults alone.
///
/// @param modulo whether query head h reads key/value head h mod kv_heads, as it must not
record Attention(ModelConfig config, boolean modulo) {

    /// @param query  (heads, head_dim) of one position
    /// @param keys   (kv_heads, head_dim) of each position that it sees
    /// @param values likewise
    short[] attend(short[] query, List<short[]> keys, List<short[]> values) {
        int headDim = config.headDim();
        short[] out = new short[query.length];
        for (int head = 0; head < config.heads(); head++) {
            int group = modulo ? head % config.keyValueHeads() : head / (config.heads() / config.keyValueHeads());
            double[] weights = new double[keys.size()];
            double sum = 0;
            for (int position = 0; position < weights.length; position++) {
                double score = 0;
                for (int d = 0; d < headDim; d++) {
                    score += Bfloat16.toFloat(query[head * headDim + d]) * Bfloat16.toFloat(keys.get(position)[group * headDim + d]);
                }
                weights[position] = Math.exp(score / Math.sqrt(headDim));
                sum += weights[position];
            }
            for (int d = 0; d < headDim; d++) {
                double mixed = 0;
                for (int position = 0; position < weights.length; position++) {
                    mixed += weights[position] / sum * Bfloat16.toFloat(values.get(position)[group * headDim + d]);
                }
                out[head * headDim + d] = Bfloat16.fromFloat((float) mixed);
            }
        }
        return out;
    }
}
