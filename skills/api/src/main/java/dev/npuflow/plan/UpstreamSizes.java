package dev.npuflow.plan;

/// Up to which sizes of a model mlir-air builds the launches behind attention into one ELF (docs/upstream.md, "The ELFs of the other models"): what is known to build on
/// silicon.
public record UpstreamSizes(ModelShape model) {

    /// Lengths that its fused kernels take whole.
    private static final int ALIGNED = 512;
    private static final int LARGEST_PREFILL = 8192;
    private static final int LARGEST_PAIR = 2048;
    private static final int DECODE_LIMIT = 2560;

    /// In decode all launches are one ELF; else each GEMV is alone.
    public boolean fusesDecode() {
        return model.hiddenSize() < DECODE_LIMIT && alignsFeedForward() && model.queryDim() % ALIGNED == 0;
    }

    /// In prefill O to SiLU·mul, at least, are one ELF.
    public boolean fusesPrefill() {
        return model.intermediateSize() <= LARGEST_PREFILL;
    }

    /// In such a prefill, Down and the addition are in that ELF too.
    public boolean alignsFeedForward() {
        return model.intermediateSize() % ALIGNED == 0;
    }

    /// In a prefill that is not one ELF, gate and up are.
    public boolean pairsGateAndUp() {
        return model.hiddenSize() < LARGEST_PAIR;
    }
}
