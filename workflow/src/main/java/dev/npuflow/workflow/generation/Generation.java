package dev.npuflow.workflow.generation;

import java.util.List;

/// A finished generation, one entry a new token.
///
/// @param ids        new tokens, a closing EOS included
/// @param topK       best ids of each step, best first
/// @param logits     fp32, one row a step; empty where not kept
/// @param endedAtEos whether the last id is an EOS that ended it
public record Generation(List<Integer> ids, List<List<Integer>> topK, List<float[]> logits, boolean endedAtEos) {

    public Generation {
        ids = List.copyOf(ids);
        topK = topK.stream().map(List::copyOf).toList();
        logits = List.copyOf(logits);
    }
}
