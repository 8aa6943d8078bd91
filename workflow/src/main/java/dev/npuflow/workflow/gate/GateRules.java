package dev.npuflow.workflow.gate;

/// @param k      how many best ids a token may be among
/// @param tokens greedy steps compared a prompt
public record GateRules(int k, int tokens) {

    /// `GATE_N_TOKENS`: what the gate compares, and what commands that make a text make if nothing else is asked for.
    public static final int TOKENS = 32;

    /// Decode steps of the gate: the first token is the prefill's.
    public static final int STEPS = TOKENS - 1;

    /// Tokens of the longer check that a phase's last plan passes too: what goes wrong with every token shows late.
    public static final int LONGER = 128;

    /// Upstream's k over more tokens.
    public static GateRules longer(int tokens) {
        return new GateRules(UPSTREAM.k(), tokens);
    }

    /// `GATE_K` and `GATE_N_TOKENS` (docs/upstream.md, "Gate").
    public static final GateRules UPSTREAM = new GateRules(5, TOKENS);
}
