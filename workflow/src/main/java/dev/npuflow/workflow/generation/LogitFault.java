package dev.npuflow.workflow.generation;

/// Why a vector of logits says nothing about the next token.
public enum LogitFault {
    /// A NaN or an infinity: an overflow, or memory that was never written.
    NON_FINITE("hold a value that is not finite"),
    /// Every entry is the same: an ELF that did not run leaves zeros.
    CONSTANT("are all the same value");

    private final String text;

    LogitFault(String text) {
        this.text = text;
    }

    /// Reads on from "logits of step 3 …".
    public String text() {
        return text;
    }
}
