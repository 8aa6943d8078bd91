package dev.npuflow.workflow.ledger;

/// What a run is about. Two runs of one key continue and replace each other; runs of different keys never meet.
///
/// @param model  what tells this model from every other: name or path, and fingerprint; behind it what the run is, where it is no phase
/// @param device hash of the device description
public record RunKey(String model, GatedPhase phase, String device) {

    private static final String ABLATION = " ablation";
    private static final String DRY_RUN = " dry run";

    /// Of the ablations that stand beside these runs.
    public RunKey ablation() {
        return new RunKey(model + ABLATION, phase, device);
    }

    /// Of the dry runs that stand beside these runs.
    public RunKey dryRun() {
        return new RunKey(model + DRY_RUN, phase, device);
    }

    /// Whether a run of this key leaves a plan when it passes. An ablation compares plans and keeps none.
    public boolean leavesPlan() {
        return !model.endsWith(ABLATION);
    }
}
