package dev.npuflow.workflow.reference;

import java.util.Optional;

/// The weights of one decoder layer.
///
/// @param queryNorm per head, before RoPE; empty where the architecture has none
record LayerWeights(RmsNorm inputNorm, Linear query, Linear key, Linear value, Optional<RmsNorm> queryNorm, Optional<RmsNorm> keyNorm, Linear output,
        RmsNorm feedForwardNorm, Linear gate, Linear up, Linear down) {}
