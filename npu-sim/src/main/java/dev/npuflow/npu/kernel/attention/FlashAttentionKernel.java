package dev.npuflow.npu.kernel.attention;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.List;
import java.util.SortedMap;

/// `flash_attention`: out = softmax(query · keyᵀ / √head_dim) · value for each query head, the scores in fp32 and online, one rounding at the output. Query
/// head h reads key/value head h / (heads / kv_heads). With `causal` a query sees the keys up to its own position.
///
/// Operands are (seq, heads, head_dim), with `head_first` (heads, seq, head_dim). Of a padded run that computes only real positions, head-first operands hold
/// those without gaps.
public final class FlashAttentionKernel implements Kernel {

    public static final KernelId ID = new KernelId("flash_attention");

    public static final String CAUSAL = "causal";
    public static final String HEAD_FIRST = "head_first";

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("query", product("seq_q", "heads", "head_dim")), readsRows("key", product("seq_k", "kv_heads", "head_dim")),
                    readsRows("value", product("seq_k", "kv_heads", "head_dim")), writesRows("out", product("seq_q", "heads", "head_dim"))),
            List.of("seq_q", "seq_k", "heads", "kv_heads", "head_dim"), List.of(CAUSAL, HEAD_FIRST, POSITIONS), List.of());

    @Override
    public KernelId id() {
        return ID;
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        SortedMap<String, Integer> shape = launch.shape();
        int active = operands.activePositions();
        int queries = (int) KernelSignature.active(shape.get("seq_q"), shape, active);
        int keys = (int) KernelSignature.active(shape.get("seq_k"), shape, active);
        boolean headFirst = shape.containsKey(HEAD_FIRST);
        int headDim = shape.get("head_dim");
        HeadRows query = new HeadRows(operands.port("query"), queries, shape.get("heads"), headDim, headFirst);
        HeadRows key = new HeadRows(operands.port("key"), keys, shape.get("kv_heads"), headDim, headFirst);
        HeadRows value = new HeadRows(operands.port("value"), keys, shape.get("kv_heads"), headDim, headFirst);
        HeadRows out = new HeadRows(operands.port("out"), queries, shape.get("heads"), headDim, headFirst);
        AttentionTiles tiles = new AttentionTiles(query, key, value, out, launch.tile().get("lqp") / launch.tile().get("num_q_tiles"),
                launch.tile().get("lkp"), shape.containsKey(CAUSAL));
        operands.workers().run(tiles.count(), tiles::compute);
    }
}
