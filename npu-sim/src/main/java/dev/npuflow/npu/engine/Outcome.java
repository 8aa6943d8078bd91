package dev.npuflow.npu.engine;

import java.util.List;

/// What a finished simulation tells. Links and nodes in the order of their names.
///
/// @param end    time of the last event, in picoseconds
/// @param events processed
public record Outcome(long end, long events, List<LinkUse> links, List<NodeUse> nodes) {

    public Outcome {
        links = List.copyOf(links);
        nodes = List.copyOf(nodes);
    }

    /// @param busy picoseconds in which the link was occupied
    public record LinkUse(String name, long bytesIn, long bytesOut, long busy) {}

    /// @param busy picoseconds of the spans that the node's component told of
    public record NodeUse(String name, long busy) {}
}
