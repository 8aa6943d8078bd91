package dev.npuflow.workflow.family;

/// How mlir-air's drivers divide the LM head into launches (docs/upstream.md, "LM head").
///
/// @param rows  of a launch
/// @param parts launches at least, whatever the vocabulary
public record UpstreamHead(int rows, int parts) {

    /// Llama's ELF, which SmolLM2's driver uses too; a family without a driver of its own is taken to do the same.
    public static final UpstreamHead LLAMA = new UpstreamHead(16_384, 8);
    /// Of Qwen's drivers.
    public static final UpstreamHead QWEN = new UpstreamHead(8192, 1);

    /// Launches for a vocabulary.
    public int parts(int vocabulary) {
        return Math.max(parts, Math.ceilDiv(vocabulary, rows));
    }
}
