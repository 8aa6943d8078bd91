package dev.npuflow.plan;

import java.util.function.UnaryOperator;

/// A whole deployment: how this model runs on this device.
///
/// @param device name of the device description the tiles were chosen for
public record Deployment(ModelShape model, String device, PhasePlan prefill, PhasePlan decode) {

    public PhasePlan phase(Phase phase) {
        return switch (phase) {
            case PREFILL -> prefill;
            case DECODE -> decode;
        };
    }

    public Deployment withPhase(Phase phase, PhasePlan changed) {
        return switch (phase) {
            case PREFILL -> new Deployment(model, device, changed, decode);
            case DECODE -> new Deployment(model, device, prefill, changed);
        };
    }

    public Deployment mapCalls(Phase phase, UnaryOperator<NpuCall> change) {
        return withPhase(phase, phase(phase).mapCalls(change));
    }

    /// SHA-256, in hex, of the canonical JSON form.
    public String hash() {
        return CanonicalJson.hash(this);
    }
}
