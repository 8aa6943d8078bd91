package dev.npuflow.workflow.generation;


import dev.npuflow.fault.NpuflowException;
import java.util.List;

/// When a generation ends and what it keeps.
///
/// @param tokens     at most so many new tokens
/// @param eosIds     ids that end it, itself included in the result; empty to ignore every EOS
/// @param topK       best ids kept a step
/// @param keepLogits whether the whole logits of every step are kept: 4 bytes · vocabulary · tokens
public record GenerationLimits(int tokens, List<Integer> eosIds, int topK, boolean keepLogits) {

    public GenerationLimits {
        if (tokens < 1) {
            throw NpuflowException.badInput("NPF-502", "number of tokens", tokens, "at least 1", "-n 32");
        }
        eosIds = List.copyOf(eosIds);
    }
}
