package dev.npuflow.workflow.gate;

/// @param k      how many best ids a token may be among
/// @param tokens greedy steps compared a prompt
public record GateRules(int k, int tokens) {

    /// `GATE_K` and `GATE_N_TOKENS` (reference document §B.1).
    public static final GateRules UPSTREAM = new GateRules(5, 32);
}
