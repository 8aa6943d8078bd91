package dev.npuflow.plan;

import java.util.function.UnaryOperator;

/// A whole deployment: how this model runs on this device.
///
/// Who checks what a plan says, before any of it counts:
///
/// | Field | Who |
/// |---|---|
/// | numbers that cannot be (a herd of none, rows below 0), operands outside their argument | the records here, when they are made |
/// | names, and that the plan is the same when it is written and read again | the catalog, when a skill answers |
/// | `model`, extents of host operations, positions and epsilon of launches | the workflow, as `DECLARED_EXTENT` |
/// | tensors, their rows, data types of weights, inputs, outputs, options and phase of host operations | the workflow, as `DECLARED_SOURCE` |
/// | kernel, shape, tile, herd, ports, symbol, ELF options | the device's compiler |
/// | shape of arguments | the run, against the values that they take (NPF-243, NPF-401) |
/// | `transfer`, `readBack`, `bufferKey`, which value and which tensor | the self-check and the gate |
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
