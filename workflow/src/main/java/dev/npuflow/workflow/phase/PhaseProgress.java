package dev.npuflow.workflow.phase;

/// Told what a run of several steps does while it does it.
public interface PhaseProgress {

    PhaseProgress SILENT = new PhaseProgress() {
        @Override public void step(int number, int of, String name) {}

        @Override public void stage(String what) {}
    };

    /// A step begins.
    ///
    /// @param number from 1
    /// @param name   such as a skill's
    void step(int number, int of, String name);

    /// What the step does from now on, such as `verifying`, or what it came to, such as `applied`.
    void stage(String what);
}
