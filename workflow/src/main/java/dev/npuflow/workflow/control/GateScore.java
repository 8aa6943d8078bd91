package dev.npuflow.workflow.control;

import java.util.List;

/// How well a gate tells wrong deployments of a model from right ones.
///
/// @param prompts judged of each control
public record GateScore(int prompts, List<ControlResult> results) {

    public GateScore {
        results = List.copyOf(results);
    }

    /// Wrong deployments tried.
    public long injected() {
        return results.stream().filter(ControlResult::wrong).count();
    }

    /// Wrong deployments that did not pass.
    public long caught() {
        return results.stream().filter(result -> result.wrong() && result.caught()).count();
    }

    /// The same without the rule of the distribution.
    public long caughtByTokens() {
        return results.stream().filter(result -> result.wrong() && result.caught() && result.answer() != ControlResult.Answer.DISTRIBUTION).count();
    }

    /// Right deployments tried.
    public long right() {
        return results.size() - injected();
    }

    /// Right deployments that did not pass.
    public long falseAlarms() {
        return results.stream().filter(result -> !result.wrong() && result.caught()).count();
    }

    /// Wrong deployments that passed.
    public List<ControlResult> missed() {
        return results.stream().filter(result -> result.wrong() && !result.caught()).toList();
    }
}
