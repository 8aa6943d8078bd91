package dev.npuflow.npu.aie.array;

import dev.npuflow.npu.device.FieldReader;

/// The largest tiles that are tried or that upstream chose, as the section `tiles` of a device file has them.
///
/// @param herdColumns     of the largest herd; then its half, and so on
/// @param elementwise     elements
/// @param largeGemmMacs   multiplications from which on a GEMM gains by [#largeGemmRows] although its fp32 sums leave the cores
/// @param gemmColumns     of a core's tile
/// @param gemmStepL2      of k, a panel
/// @param gemmStepL1      of k, a call
/// @param squareGemmStepL2 upstream's, of a square GEMM
/// @param squareGemmMost  the widest GEMM that it is for
/// @param anyStrideMost   columns up to which upstream keeps its step whatever the stride
/// @param gemvRows        upstream's rows of a GEMV tile
/// @param gemvCallRows    upstream's rows of a call
/// @param gemvAddRows     upstream's rows of a tile of GEMV with addition
/// @param swigluRows      upstream's rows, gate and up in turn, of a tile of the fused norm, gate, up and SwiGLU
/// @param swigluCallRows  upstream's rows of a call of it
/// @param add             upstream's elements of an addition
/// @param siluMul         upstream's elements of SiLU times up
/// @param wideHeadValues  elements of a head that are a tile of values where heads are wide; else as many as query rows
/// @param paddedGemmColumns upstream pads a wider GEMM whose columns its tiles do not divide to a multiple of these
public record TileRules(int herdColumns, int elementwise, long largeGemmMacs, int largeGemmRows, int gemmColumns, int gemmStepL2, int gemmStepL1,
        int squareGemmStepL2, int squareGemmMost, int anyStrideMost, int gemvRows, int gemvCallRows, int gemvAddRows, int swigluRows, int swigluCallRows, int add, int siluMul, int wideHeadValues, int paddedGemmColumns) {

    static TileRules read(FieldReader f) {
        return new TileRules(size(f, "herd_columns"), size(f, "elementwise"), Math.round(f.number("tiles.large_gemm_macs", 1, 1e15)),
                size(f, "large_gemm_rows"), size(f, "gemm_columns"), size(f, "gemm_k_l2"), size(f, "gemm_k_l1"), size(f, "square_gemm_k_l2"),
                size(f, "square_gemm_most"), size(f, "any_stride_most"), size(f, "gemv_rows"), size(f, "gemv_call_rows"), size(f, "gemv_add_rows"),
                size(f, "swiglu_rows"), size(f, "swiglu_call_rows"), size(f, "add"),
                size(f, "silu"), size(f, "wide_head_values"), size(f, "padded_gemm_columns"));
    }

    private static int size(FieldReader f, String name) {
        return f.whole("tiles." + name, 1, 1 << 20);
    }
}
