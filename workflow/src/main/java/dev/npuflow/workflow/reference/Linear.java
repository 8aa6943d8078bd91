package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.model.Tensor;
import java.util.Optional;

/// A linear operator, weights (out, in): y = W·x + bias, each output rounded to bf16 once, the bias added before (PyTorch's `addmm` keeps the sum in fp32).
///
/// @param bias one bf16 value a row
record Linear(Tensor weight, Optional<float[]> bias) {

    /// Rows a chunk: enough for a sequential stream, few enough for an even split.
    private static final int CHUNK_ROWS = 64;
    /// Below this many multiplications a hand-over to another thread costs more than it saves.
    private static final long WORTH_SHARING = 1 << 16;
    /// Positions for which a row stays in L1: their activations fit in L2 up to K = 8192.
    private static final int BLOCK_POSITIONS = 32;

    /// @return positions × rows
    float[] apply(float[] x, int positions, Arithmetic arithmetic) {
        return finish(sums(x, positions, arithmetic), arithmetic.precision());
    }

    /// W·x in fp32, positions × rows: no bias, nothing rounded.
    float[] sums(float[] x, int positions, Arithmetic arithmetic) {
        return switch (arithmetic.precision()) {
            case BF16 -> multiply(x, positions, arithmetic);
            case FP32 -> Bfloat16Parts.sum(multiply(Bfloat16Parts.of(x, weight.columns()), Bfloat16Parts.COUNT * positions, arithmetic), weight.rows());
        };
    }

    /// @param x bf16 values
    private float[] multiply(float[] x, int positions, Arithmetic arithmetic) {
        PackedRows packed = PackedRows.of(x, positions, weight.columns());
        float[] out = new float[Math.multiplyExact(positions, weight.rows())];
        boolean alone = (long) weight.rows() * weight.columns() * positions < WORTH_SHARING;
        int chunkRows = alone ? weight.rows() : CHUNK_ROWS;
        arithmetic.workers().forEach(Math.ceilDiv(weight.rows(), chunkRows), chunk -> {
            int from = chunk * chunkRows;
            int to = Math.min(from + chunkRows, weight.rows());
            if (positions == 1) {
                multiplyVector(arithmetic.dotProduct(), packed, from, to, out);
            } else {
                multiplyMatrix(arithmetic.dotProduct(), packed, from, to, out);
            }
        });
        return out;
    }

    private void multiplyVector(DotProduct dotProduct, PackedRows x, int from, int to, float[] out) {
        for (int row = from; row < to; row++) {
            out[row] = dotProduct.dot(weight.data(), offset(row), x.pairs(), 0, x.columns());
        }
    }

    private void multiplyMatrix(DotProduct dotProduct, PackedRows x, int from, int to, float[] out) {
        Tile tile = Tile.empty();
        for (int block = 0; block < x.positions(); block += BLOCK_POSITIONS) {
            int end = Math.min(block + BLOCK_POSITIONS, x.positions());
            int evenEnd = end - (end - block) % 2;
            int row = from;
            for (; row + 2 <= to; row += 2) {
                for (int position = block; position < evenEnd; position += 2) {
                    dotProduct.dotTwoByTwo(weight.data(), offset(row), x.pairs(), position * x.stride(), x.stride(), x.columns(), tile);
                    for (int i = 0; i < 4; i++) {
                        out[(position + i % 2) * weight.rows() + row + i / 2] = tile.results()[i];
                    }
                }
                multiplyRest(dotProduct, x, row, evenEnd, end, out);
                multiplyRest(dotProduct, x, row + 1, evenEnd, end, out);
            }
            if (row < to) {
                multiplyRest(dotProduct, x, row, block, end, out);
            }
        }
    }

    private void multiplyRest(DotProduct dotProduct, PackedRows x, int row, int from, int to, float[] out) {
        for (int position = from; position < to; position++) {
            out[position * weight.rows() + row] = dotProduct.dot(weight.data(), offset(row), x.pairs(), position * x.stride(), x.columns());
        }
    }

    private long offset(int row) {
        return 2L * row * weight.columns();
    }

    /// The output of [#sums], kept, in an array of its own.
    float[] finish(float[] sums, Precision precision) {
        float[] added = bias.orElseGet(() -> new float[0]);
        float[] out = new float[sums.length];
        for (int i = 0; i < sums.length; i++) {
            out[i] = precision.keep(added.length == 0 ? sums[i] : sums[i] + added[i % added.length]);
        }
        return out;
    }

    /// What a device that adds the bias in a step of its own has before it: [#sums], rounded, in an array of its own.
    static float[] unbiased(float[] sums, Precision precision) {
        float[] rounded = new float[sums.length];
        for (int i = 0; i < sums.length; i++) {
            rounded[i] = precision.keep(sums[i]);
        }
        return rounded;
    }
}
