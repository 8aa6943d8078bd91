package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.block.Block;

/// Upstream's first ELF of a layer: all that stands before attention, such as norm, Q, K, V, then biases (Qwen2), norms of each head (Qwen3) or, as no model of
/// its has them, both, then RoPE (docs/upstream.md, "The ELFs of llama32_1b", "The ELFs of the other models").
record UpstreamAttentionInput(Block block, Phase phase) {

    NpuCall call(UpstreamElves elves, ElfOptions options) {
        return elves.of(name(), block.beforeAttention(), BufferKey.PER_LAYER, options);
    }

    /// Upstream's names are by what is in the ELF; the plain one's is by how it projects.
    private String name() {
        boolean decode = phase == Phase.DECODE;
        String extras = (block.hasInputBias() ? "_bias" : "") + (block.normsQueriesAndKeys() ? "_qknorm" : "");
        if (extras.isEmpty()) {
            return decode ? "rms_gemv_rope" : "rms_gemms_rope";
        }
        return (block.normsBeforeAttention() ? "rms_" : "") + "qkv" + extras + (decode ? "_rope_gemv" : "_rope");
    }
}
