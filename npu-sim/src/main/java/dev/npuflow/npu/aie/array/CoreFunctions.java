package dev.npuflow.npu.aie.array;

import dev.npuflow.npu.device.FieldReader;

/// What the core functions are built for, as the section `functions` of a device file has it.
///
/// @param lanes             bf16 elements of a vector loop without remainder
/// @param gemvLanes         bf16 elements that a GEMV multiplies at once
/// @param gemmBlock         rows and columns of the register block of a GEMM
/// @param gemvAddChunk      elements of k that a call of the GEMV with addition takes
/// @param swigluRefusedK    the smallest k on record that the fused norm, gate, up and SwiGLU does not place with
/// @param gemmDrainedRows   the most rows of a GEMM tile whose fp32 sums and bf16 results both lie in L1
/// @param castTile          elements of a tile of the cast from fp32
/// @param attentionRows     query rows of a tile of FlashAttention
/// @param wideHead          head_dim from which on it takes [#wideHeadRows]
/// @param valueStep         elements that its value dimension is cut by
/// @param headsAtOnce       the most that it computes at once
/// @param unrolledTile      elementwise tiles from here on whose runs, beyond one wrap dimension and up to [#unrolledRuns], take a descriptor each
public record CoreFunctions(int lanes, int gemvLanes, int gemmBlock, int gemvAddChunk, int swigluRefusedK, int gemmDrainedRows, int castTile,
        int attentionRows, int wideHead, int wideHeadRows, int valueStep, int headsAtOnce, int unrolledTile, int unrolledRuns) {

    static CoreFunctions read(FieldReader f) {
        return new CoreFunctions(size(f, "lanes"), size(f, "gemv_lanes"), size(f, "gemm_block"), size(f, "gemv_add_chunk"), size(f, "swiglu_refused_k"),
                size(f, "gemm_drained_rows"), size(f, "cast_tile"), size(f, "attention_rows"), size(f, "attention_wide_head"),
                size(f, "attention_wide_head_rows"), size(f, "attention_value_step"), size(f, "attention_heads_at_once"), size(f, "unrolled_tile"),
                size(f, "unrolled_runs"));
    }

    private static int size(FieldReader f, String name) {
        return f.whole("functions." + name, 1, 1 << 20);
    }

    /// Query rows of a tile of FlashAttention.
    public int attentionRows(long headDim) {
        return headDim >= wideHead ? wideHeadRows : attentionRows;
    }
}
