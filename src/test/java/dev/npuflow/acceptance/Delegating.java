package dev.npuflow.acceptance;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Placement;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Another target, of which a test changes one answer. Closes nothing.
class Delegating implements Target {

    final Target target;

    Delegating(Target target) {
        this.target = target;
    }

    @Override public Set<DeviceTrait> traits() {
        return target.traits();
    }

    @Override public String source() {
        return target.source();
    }

    @Override public Placement placement() {
        return target.placement();
    }

    @Override public Deployment baseline() {
        return target.baseline();
    }

    @Override public List<Blocker> compile(Deployment deployment) {
        return target.compile(deployment);
    }

    @Override public SelfCheck selfCheck(Deployment before, Deployment after, boolean changesArithmetic) {
        return target.selfCheck(before, after, changesArithmetic);
    }

    @Override public Optional<GateResult> verifyLonger(Deployment deployment) {
        return target.verifyLonger(deployment);
    }

    @Override public GateResult verify(Deployment deployment, int prompts) {
        return target.verify(deployment, prompts);
    }

    @Override public Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos) {
        return target.profile(deployment, prompt, tokens, ignoreEos);
    }

    @Override public Repetition repetition() {
        return target.repetition();
    }

    @Override public void close() {}
}
