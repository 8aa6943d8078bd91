package dev.npuflow.npu.runtime;

/// The state that a command ends in, after XRT's `ERT_CMD_STATE_*`.
public enum CommandState {
    COMPLETED, TIMEOUT, ABORTED
}
