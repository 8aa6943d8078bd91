package dev.npuflow.workflow.lowering.aie;

/// Runtime loop tilings of upstream's ELFs (docs/upstream.md, "ELF building"). Its LM head is a decode ELF in prefill too.
final class LoopTiling {

    static final int DECODE = 16;
    static final int PREFILL = 2;
    /// Of FlashAttention, and of models whose drivers pass none.
    static final int NONE = 1;

    private LoopTiling() {}
}
