package dev.npuflow.plan;

/// What happens next in a phase: the NPU runs an ELF, or the host computes.
public sealed interface Step permits NpuCall, HostOp {

    String name();
}
