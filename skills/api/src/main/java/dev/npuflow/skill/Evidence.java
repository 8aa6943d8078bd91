package dev.npuflow.skill;

import java.util.List;

/// A section of the phase's document about one change: what the skill knows of it. npuflow adds the times, the self-check's figures and the gate's verdict.
///
///     Evidence.of("Multi-launch merge: qkv", "Launches merged: 3").timing(List.of("q", "k", "v"), List.of("qkv"))
///
/// @param title       without a leading `##`
/// @param facts       one line each, such as `Launches merged: 3`
/// @param stepsBefore names of the steps of the old plan whose time is compared; empty where that is the whole pass
/// @param stepsAfter  names of the steps of the new plan that do their work; empty where that is the whole pass
public record Evidence(String title, List<String> facts, List<String> stepsBefore, List<String> stepsAfter) {

    public Evidence {
        facts = List.copyOf(facts);
        stepsBefore = List.copyOf(stepsBefore);
        stepsAfter = List.copyOf(stepsAfter);
    }

    /// Compares the time of the whole pass.
    public static Evidence of(String title, String... facts) {
        return new Evidence(title, List.of(facts), List.of(), List.of());
    }

    /// Compares the time of these steps.
    public Evidence timing(List<String> before, List<String> after) {
        return new Evidence(title, facts, before, after);
    }
}
