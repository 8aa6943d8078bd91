package dev.npuflow.workflow.generation;

/// Told how far the generation after some prompts has come, by people's numbers: from 1. Nothing depends on it.
public interface GenerationProgress {

    GenerationProgress SILENT = (_, _, _) -> { };

    /// The generation after a prompt begins.
    ///
    /// @param of     prompts in all
    /// @param tokens that are to be made
    void prompt(int number, int of, int tokens);

    /// A token is being made; token 1 is the prefill's.
    default void token(int number) {}

    /// The prefill has come to a layer.
    default void layer(int number, int of) {}
}
