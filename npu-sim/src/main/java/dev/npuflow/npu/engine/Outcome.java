package dev.npuflow.npu.engine;

import java.util.List;

/// What a finished simulation tells. Links and agents in the order of their names.
///
/// @param end    time of the last event, in picoseconds
/// @param events processed
public record Outcome(long end, long events, List<LinkUse> links, List<AgentUse> agents) {

    public Outcome {
        links = List.copyOf(links);
        agents = List.copyOf(agents);
    }

    /// @param busy picoseconds in which the link was occupied
    public record LinkUse(String name, long bytesIn, long bytesOut, long busy) {}

    /// @param busy picoseconds in which the agent delayed or moved bytes
    public record AgentUse(String name, long busy, long end) {}
}
