package dev.npuflow.npu.kernel.attention;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.kernel.limit.LaunchSite;
import dev.npuflow.npu.kernel.limit.Limit;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// `flash_attention`: out = softmax(query · keyᵀ / √head_dim) · value for each query head, the scores in fp32 and online, one rounding at the output. Query
/// head h reads key/value head h / (heads / kv_heads). With `causal` a query sees the keys up to its own position.
///
/// Operands are (seq, heads, head_dim), with `head_first` (heads, seq, head_dim). Of a padded run that computes only real positions, head-first operands hold
/// those without gaps.
public final class FlashAttentionKernel implements Kernel {

    static final String CAUSAL = "causal";
    static final String HEAD_FIRST = "head_first";

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("query", product("seq_q", "heads", "head_dim")), readsRows("key", product("seq_k", "kv_heads", "head_dim")),
                    readsRows("value", product("seq_k", "kv_heads", "head_dim")), writesRows("out", product("seq_q", "heads", "head_dim"))),
            List.of("seq_q", "seq_k", "heads", "kv_heads", "head_dim"), List.of(CAUSAL, HEAD_FIRST, POSITIONS), List.of(),
            List.of("lqp", "lkp", "num_q_tiles", "hpu", "cascade", "dv_chunks"));

    @Override
    public String id() {
        return "flash_attention";
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return Limit.check(new LaunchSite(launch, elf, device), FlashAttentionLimits.ALL);
    }

    /// The object's blocking is fixed when it is built.
    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("attn: head_dim %d, %s".formatted(launch.shape().get("head_dim"), launch.tile()));
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
