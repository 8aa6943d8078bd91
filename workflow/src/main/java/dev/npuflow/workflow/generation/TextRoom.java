package dev.npuflow.workflow.generation;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Prompt;
import java.util.List;

/// How many tokens fit: a prompt and all that is made after it take no more positions than the model has. The one rule of every command.
///
///     prompt  | first token | decoded tokens …
///     prefill               | a decode step each
///
/// @param positions of the model, `max_position_embeddings`
/// @param prompt    tokens of the longest prompt
public record TextRoom(int positions, int prompt) {

    public static TextRoom of(ModelConfig config, Prompt prompt) {
        return of(config, List.of(prompt));
    }

    /// For the longest of several prompts, at least one.
    public static TextRoom of(ModelConfig config, List<Prompt> prompts) {
        return new TextRoom(config.maximumPositions(), prompts.stream().mapToInt(prompt -> prompt.ids().size()).max().orElseThrow());
    }

    /// @param option by which so many new tokens were asked for, the prefill's among them
    /// @throws NpuflowException NPF-806 naming the most that fit
    public void requireTokens(String option, int tokens) {
        require("prompt and new tokens (%d + %d)".formatted(prompt, tokens), option, tokens, positions - prompt);
    }

    /// @param option by which so many decode steps were asked for
    /// @throws NpuflowException NPF-806 naming the most that fit
    public void requireSteps(String option, int steps) {
        require("prompt, first token and decoded tokens (%d + 1 + %d)".formatted(prompt, steps), option, steps, positions - prompt - 1);
    }

    private void require(String what, String option, int asked, int room) {
        if (asked > room) {
            throw NpuflowException.badInput("NPF-806", what, "at most the model's %d positions".formatted(positions),
                    room > 0 ? "%s %d".formatted(option, room) : "a shorter prompt");
        }
    }

    /// So many decode steps as were wished for, or as fit, but one: a prompt that leaves no room is refused when it is read.
    public int steps(int wished) {
        return Math.clamp(positions - (long) prompt - 1, 1, wished);
    }
}
