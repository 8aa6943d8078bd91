package dev.npuflow.workflow.measurement;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Placement;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.trial.TrialBench;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/// What deployments are measured on. One measurement type, whatever stands behind it.
public interface Target extends AutoCloseable {

    /// The one line that every figure is printed under: where it comes from and how far that was validated.
    String source();

    /// What the device can do that skills ask for.
    Set<DeviceTrait> traits();

    Placement placement();

    /// Where skills are tried on this target.
    ///
    /// @param options that the user gave
    /// @param limit   of one call of a skill
    default TrialBench bench(SortedMap<String, String> options, Duration limit) {
        return new TrialBench(traits(), placement(), this::compile, options, limit);
    }

    /// The correct, slow plan that optimizations start from.
    Deployment baseline();

    /// Why the plan does not compile; empty if it does.
    List<Blocker> compile(Deployment deployment);

    /// Old plan against new on one prompt: the preload, then consecutive tokens, every layer's output and the logits.
    SelfCheck selfCheck(Deployment before, Deployment after, boolean changesArithmetic);

    /// The gate on the first `prompts` prompts of the model.
    GateResult verify(Deployment deployment, int prompts);

    /// The gate on the first prompt of the model for more tokens, as many as there is room for: what goes wrong late, such as in the KV cache. Empty where there is
    /// no room for more than the gate's, or the target has no longer check.
    default Optional<GateResult> verifyLonger(Deployment deployment) {
        return Optional.empty();
    }

    /// One sample of a plan's times. How many are needed says [#repetition].
    ///
    /// @param tokens    decode steps to time
    /// @param ignoreEos whether the generation goes on after an end-of-sequence token
    Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos);

    /// What two measurements of one plan may differ by, and so how often the loop measures before it decides.
    Repetition repetition();

    @Override void close();
}
