package dev.npuflow.workflow.phase;

/// Told what the loop does while it does it.
public interface PhaseProgress {

    PhaseProgress SILENT = _ -> { };

    /// One line, such as `opt-buffer-object-reuse: verifying`.
    void step(String line);
}
