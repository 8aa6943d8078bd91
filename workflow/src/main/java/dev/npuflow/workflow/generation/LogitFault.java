package dev.npuflow.workflow.generation;

/// Why a vector of logits says nothing about the next token.
public enum LogitFault {
    /// A NaN or an infinity: an overflow, or memory that was never written.
    NON_FINITE("hold a value that is not finite", "npuflow localize, which names the operator: no weight is at fault"),
    /// Every entry is the same: an ELF that did not run leaves zeros.
    CONSTANT("are all the same value", "npuflow localize, which names the operator that left nothing");

    private final String text;
    private final String remedy;

    LogitFault(String text, String remedy) {
        this.text = text;
        this.remedy = remedy;
    }

    /// What shows where it comes from.
    String remedy() {
        return remedy;
    }

    /// Reads on from "logits of step 3 …".
    public String text() {
        return text;
    }
}
