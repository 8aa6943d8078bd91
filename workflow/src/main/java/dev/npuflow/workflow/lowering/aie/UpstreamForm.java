package dev.npuflow.workflow.lowering.aie;

/// Which of upstream's builds a plan stands for. Measurements come from several.
///
/// @param directGemms bf16 GEMMs by direct code generation, as before mlir-air PR 1687; else the kernel registry's fused-cast and drain methods
/// @param eightLaunch `o_gemv_ffn` of eight launches, as before mlir-air PR 1631; else of three
public record UpstreamForm(boolean directGemms, boolean eightLaunch) {

    /// As of mlir-air e972f2942.
    public static final UpstreamForm CURRENT = new UpstreamForm(false, false);
}
