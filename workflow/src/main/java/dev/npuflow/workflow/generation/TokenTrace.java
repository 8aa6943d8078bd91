package dev.npuflow.workflow.generation;

import java.util.List;

/// What one side of the gate recorded for one prompt: `chosen[i]` is step i's greedy token, `topK[i]` its best ids, best first. This is one
/// entry of upstream's gate file (docs/upstream.md, "Gate file").
public record TokenTrace(List<Integer> chosen, List<List<Integer>> topK) {

    public TokenTrace {
        chosen = List.copyOf(chosen);
        topK = topK.stream().map(List::copyOf).toList();
    }
}
