package dev.npuflow.npu.kernel.attention;

import java.util.Arrays;

/// The arithmetic of FlashAttention. A tile is some queries of all heads that share a key/value head; it takes the keys block by block, and keeps of each query
/// the largest score so far, the sum of exp(score − largest), and the sum of values weighted so. Keys in rising order, so a key that a query does not see
/// never has a part in it: a padded run gives the bits of one over the real positions.
final class AttentionTiles {

    private final HeadRows query;
    private final HeadRows key;
    private final HeadRows value;
    private final HeadRows out;
    private final int tileQueries;
    private final int blockKeys;
    private final boolean causal;
    private final int headDim;
    private final int group;
    private final float scale;

    AttentionTiles(HeadRows query, HeadRows key, HeadRows value, HeadRows out, int tileQueries, int blockKeys, boolean causal) {
        this.query = query;
        this.key = key;
        this.value = value;
        this.out = out;
        this.tileQueries = tileQueries;
        this.blockKeys = blockKeys;
        this.causal = causal;
        this.headDim = query.headDim();
        this.group = query.heads() / key.heads();
        this.scale = (float) (1 / Math.sqrt(headDim));
    }

    int count() {
        return key.heads() * Math.ceilDiv(query.positions(), tileQueries);
    }

    void compute(int tile) {
        int keyHead = tile % key.heads();
        int first = tile / key.heads() * tileQueries;
        int end = Math.min(query.positions(), first + tileQueries);
        Tile state = new Tile(keyHead, first, end - first);
        int keys = causal ? Math.min(end, key.positions()) : key.positions();
        for (int block = 0; block < keys; block += blockKeys) {
            state.take(block, Math.min(blockKeys, keys - block));
        }
        state.finish();
    }

    private final class Tile {

        private final int keyHead;
        private final int first;
        private final int rows;
        private final float[] queries;
        private final float[] sums;
        private final float[] largest;
        private final float[] weight;
        /// A block of keys, (head_dim, block), so that a vector runs over keys.
        private final float[] keys = new float[headDim * blockKeys];
        private final float[] values = new float[blockKeys * headDim];
        private final float[] scores = new float[blockKeys];

        Tile(int keyHead, int first, int positions) {
            this.keyHead = keyHead;
            this.first = first;
            rows = group * positions;
            queries = new float[rows * headDim];
            sums = new float[rows * headDim];
            largest = new float[rows];
            weight = new float[rows];
            Arrays.fill(largest, Float.NEGATIVE_INFINITY);
            for (int row = 0; row < rows; row++) {
                query.read(head(row), position(row), queries, row * headDim, 1);
            }
        }

        private int head(int row) {
            return keyHead * group + row % group;
        }

        private int position(int row) {
            return first + row / group;
        }

        void take(int from, int count) {
            for (int i = 0; i < count; i++) {
                key.read(keyHead, from + i, keys, i, blockKeys);
                value.read(keyHead, from + i, values, i * headDim, 1);
            }
            for (int row = 0; row < rows; row++) {
                int visible = causal ? Math.min(count, position(row) + 1 - from) : count;
                if (visible > 0) {
                    score(row, visible);
                    accumulate(row, visible);
                }
            }
        }

        private void score(int row, int visible) {
            Arrays.fill(scores, 0);
            for (int i = 0; i < headDim; i++) {
                addScaled(queries[row * headDim + i], keys, i * blockKeys, scores, 0, visible);
            }
        }

        private void accumulate(int row, int visible) {
            float before = largest[row];
            float maximum = before;
            for (int i = 0; i < visible; i++) {
                scores[i] *= scale;
                maximum = Math.max(maximum, scores[i]);
            }
            float kept = Exponential.of(before - maximum);
            float total = weight[row] * kept;
            int at = row * headDim;
            for (int i = 0; i < headDim; i++) {
                sums[at + i] *= kept;
            }
            for (int i = 0; i < visible; i++) {
                float part = Exponential.of(scores[i] - maximum);
                total += part;
                addScaled(part, values, i * headDim, sums, at, headDim);
            }
            largest[row] = maximum;
            weight[row] = total;
        }

        void finish() {
            for (int row = 0; row < rows; row++) {
                out.write(head(row), position(row), sums, row * headDim, 1 / weight[row]);
            }
        }
    }

    /// In this form the JIT makes vectors of it.
    private static void addScaled(float factor, float[] from, int at, float[] to, int toAt, int count) {
        for (int i = 0; i < count; i++) {
            to[toAt + i] = Math.fma(factor, from[at + i], to[toAt + i]);
        }
    }
}
