package dev.npuflow.workflow.reference;

import java.util.Arrays;

/// Causal grouped-query attention in eager order: scores rounded, scaled and rounded again, softmax in fp32 then rounded, probabilities · V rounded.
/// Masked positions are left out: their probability is exactly zero.
record Attention(int heads, int keyValueHeads, int headDim) {

    /// @param queries   positions × heads · headDim, rotated
    /// @param cache     holds at least the positions up to the last query's
    /// @return positions × heads · headDim
    float[] apply(float[] queries, KeyValueCache cache, int firstPosition, Arithmetic arithmetic) {
        Precision precision = arithmetic.precision();
        float[] out = new float[queries.length];
        int positions = queries.length / (heads * headDim);
        arithmetic.workers().forEach(heads, head -> {
            float[] scores = new float[firstPosition + positions];
            float[] sums = new float[PartialSums.COUNT * headDim];
            for (int row = 0; row < positions; row++) {
                int query = (row * heads + head) * headDim;
                int seen = firstPosition + row + 1;
                score(queries, query, cache, head, seen, scores, sums, precision);
                Activations.softmax(scores, seen);
                weigh(scores, seen, cache, head, sums, precision);
                for (int d = 0; d < headDim; d++) {
                    out[query + d] = precision.keep(sums[d]);
                }
            }
        });
        return out;
    }

    private void score(float[] queries, int query, KeyValueCache cache, int head, int seen, float[] scores, float[] sums,
            Precision precision) {
        float scale = (float) (1 / Math.sqrt(headDim));
        for (int position = 0; position < seen; position++) {
            float product = PartialSums.dot(queries, query, cache.keys(), offset(cache, position, head), headDim, sums);
            scores[position] = precision.keep(precision.keep(product) * scale);
        }
    }

    /// Leaves Σ probability · value in the first `headDim` sums.
    private void weigh(float[] probabilities, int seen, KeyValueCache cache, int head, float[] sums, Precision precision) {
        Arrays.fill(sums, 0f);
        float[] values = cache.values();
        for (int position = 0; position < seen; position++) {
            float probability = precision.keep(probabilities[position]);
            int value = offset(cache, position, head);
            int sum = position % PartialSums.COUNT * headDim;
            for (int d = 0; d < headDim; d++) {
                sums[sum + d] = Math.fma(probability, values[value + d], sums[sum + d]);
            }
        }
        PartialSums.reduceColumns(sums, headDim);
    }

    private int offset(KeyValueCache cache, int position, int head) {
        return position * cache.width() + head / (heads / keyValueHeads) * headDim;
    }
}
