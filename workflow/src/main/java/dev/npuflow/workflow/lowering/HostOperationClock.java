package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.device.HostCosts;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.HostOp;

/// What a host operation costs: numpy calls, bytes streamed, fp32 operations, each at the rate of the device file. Extents are the padded ones,
/// as upstream computes them; only the context is the real one.
///
/// Decode attention follows upstream's code (hardware facts: the whole valid K and V become fp32, then a Python loop over heads): six numpy calls a
/// head, for product, scale, maximum, exponential, sum and product.
final class HostOperationClock {

    private static final int CALLS_A_HEAD = 6;
    private static final int BF16_BYTES = 2;
    private static final int FP32_BYTES = 4;

    private final HostCosts costs;

    HostOperationClock(HostCosts costs) {
        this.costs = costs;
    }

    /// @param context positions in the KV cache once this pass is done
    long picoseconds(HostOp op, int context) {
        long positions = extent(op, "positions");
        long n = extent(op, "n") * positions;
        return switch (op.kind()) {
            case EMBED, LAST_ROW -> streaming(1, 2 * BF16_BYTES * n);
            case ROPE_TABLE -> streaming(1, 2 * BF16_BYTES * positions * extent(op, "rows") * extent(op, "rotary_dim"));
            case ADD -> streaming(2, 3 * FP32_BYTES * n);
            case RMS_NORM -> streaming(5, 5 * FP32_BYTES * n);
            case SILU_MUL -> streaming(5, 5 * FP32_BYTES * n);
            case ARGMAX -> streaming(1, FP32_BYTES * n);
            case TRANSPOSE -> streaming(1, 2 * BF16_BYTES * positions * extent(op, "heads") * extent(op, "head_dim"));
            case KV_CACHE_EXTRACT -> streaming(2, 2 * 2 * BF16_BYTES * positions * extent(op, "key_value_heads") * extent(op, "head_dim"));
            case DECODE_ATTENTION -> attention(op, 1, context);
            case PREFILL_ATTENTION -> attention(op, positions, positions);
        };
    }

    private long attention(HostOp op, long queries, long keys) {
        long heads = extent(op, "heads");
        long headDim = extent(op, "head_dim");
        long converted = 2 * keys * extent(op, "key_value_heads") * headDim * (BF16_BYTES + FP32_BYTES);
        long scores = CALLS_A_HEAD * heads * queries * keys * FP32_BYTES;
        double products = 4.0 * heads * queries * keys * headDim;
        return streaming(CALLS_A_HEAD * heads, converted + scores) + Picoseconds.of(products, costs.flopRate()).value();
    }

    private long streaming(long calls, long bytes) {
        return calls * costs.callCost() + Picoseconds.of(bytes, costs.byteRate()).value();
    }

    private static long extent(HostOp op, String name) {
        return op.shape().getOrDefault(name, 1);
    }
}
