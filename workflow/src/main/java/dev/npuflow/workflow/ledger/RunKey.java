package dev.npuflow.workflow.ledger;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What a run is about. Two runs of one key continue and replace each other; runs of different keys never meet.
///
/// @param model  what tells this model from every other: name, and fingerprint of configuration and weights; behind it what the run is, where it is no phase
/// @param device hash of the device description
public record RunKey(String model, GatedPhase phase, String device) {

    private static final String ABLATION = " ablation";
    private static final String DRY_RUN = " dry run";
    private static final Pattern PARTS = Pattern.compile("(?s)^(.*?)(?: ([0-9a-f]{64}))?(" + ABLATION + "|" + DRY_RUN + "|)$");

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

    /// The model's name alone.
    public String modelName() {
        return parts().group(1);
    }

    /// SHA-256 of configuration and weights; empty in a key without one.
    public String fingerprint() {
        String fingerprint = parts().group(2);
        return fingerprint == null ? "" : fingerprint;
    }

    /// `phase`, `ablation` or `dry run`.
    public String kind() {
        String kind = parts().group(3).strip();
        return kind.isEmpty() ? "phase" : kind;
    }

    private MatchResult parts() {
        return PARTS.matcher(model).results().findFirst().orElseThrow();
    }
}
