package dev.npuflow.workflow.lens;

/// What breaks deployments, as the failure tables of the field list it (docs/upstream.md, "Failure tables", "Faults of buffer objects"), with what to do about it.
/// Numbers are stable: `debug_log.md` names them.
public enum Hypothesis {
    STALE_STATIC(1, "stale static", "take the argument out of the static set: its host value changes between calls of one buffer-object key"),
    MISSING_INTERMEDIATE(2, "intermediate read before it is written",
            "take the argument out of the intermediate set, or put the launch that writes it before the one that reads it"),
    CROSS_LAYER_ALIAS(3, "cross-layer alias", "give the call a buffer-object key per layer: what stays on the device differs from layer to layer"),
    BARE_HERD(4, "bare herd, or an output that nobody writes",
            "wrap the herd in a launch and a segment, and bind the launch's output to the argument"),
    LAYER_INDEXED_WEIGHT(5, "weight of another layer", "index the weight by the layer that runs: `{layer}` in its tensor name"),
    WRONG_WEIGHT(6, "wrong weight", "bind the launch to the tensor of its own projection"),
    SWAPPED_GATE_UP(7, "gate and up swapped", "exchange what the gate and the up projection are bound to"),
    DROPPED_RESIDUAL(8, "dropped residual", "add the block's input to its output before the next norm reads it"),
    WRONG_OPERAND(9, "wrong operand", "bind the port to the value that the operator reads"),
    MISSING_PRODUCER(10, "nobody makes the value", "put back the launch or the read-back that hands the value over"),
    ROPE_CONVENTION(11, "interleaved RoPE", "rotate half-split pairs (i, i + rotary_dim/2): a look-up row is [cos | sin]"),
    ROPE_POSITION(12, "RoPE position", "take the look-up row of the token's own position"),
    KV_POSITION(13, "KV position", "append key and value at the token's own position before attention, and attend up to and including it"),
    GQA_MAPPING(14, "GQA head mapping", "query head h reads key/value head h / (heads / kv_heads), not h mod kv_heads"),
    LAYOUT(15, "layout", "let producer and consumer agree on seq-first or head-first"),
    NOT_FINITE(16, "values that are not finite", "look at the buffer object's first write and at the kernel's compile flags"),
    ARITHMETIC(17, "the kernel's own arithmetic", "check the kernel's tiling, constants and symbol: every input is right"),
    DROPPED_BIAS(18, "dropped bias", "add the projection's bias before RoPE, the KV cache or attention reads its output"),
    ACCUMULATOR(19, "intermediate that accumulates",
            "clear it in every call: take it out of the intermediate set, or let the first launch that touches it only write it"),
    FIRST_WRITE(20, "wrong bytes at the key's first call",
            "keep the host array alive and unchanged until the first call of its buffer-object key, and take another key when weights change"),
    OVERWRITTEN_OUTPUT(21, "output overwritten by another layer's", "copy what is read back before the call runs again");

    private final int number;
    private final String title;
    private final String remedy;

    Hypothesis(int number, String title, String remedy) {
        this.number = number;
        this.title = title;
        this.remedy = remedy;
    }

    public int number() {
        return number;
    }

    public String title() {
        return title;
    }

    /// One line: what to change.
    public String remedy() {
        return remedy;
    }
}
