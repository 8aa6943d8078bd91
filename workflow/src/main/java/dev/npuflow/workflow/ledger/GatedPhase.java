package dev.npuflow.workflow.ledger;

/// The phases of a deployment that end in a hard gate of the whole model (docs/upstream.md, "Phases").
public enum GatedPhase {
    FULL_MODEL(3, "phase3_full.md"), PREFILL(4, "phase4_prefill.md"), DECODE(5, "phase5_decode.md");

    private final int number;
    private final String document;

    GatedPhase(int number, String document) {
        this.number = number;
        this.document = document;
    }

    public int number() {
        return number;
    }

    /// File name of its document.
    public String document() {
        return document;
    }

    /// File name of the picture in its document.
    public String picture() {
        return document.replace(".md", ".svg");
    }
}
