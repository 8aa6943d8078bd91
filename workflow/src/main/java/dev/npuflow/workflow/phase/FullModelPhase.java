package dev.npuflow.workflow.phase;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseResult.Status;
import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.LayerFigures;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.List;
import java.util.Optional;

/// Phase 3: the plan to start from is compiled, measured and judged. The gate alone decides; nothing is optimized (docs/upstream.md, "Phases").
public final class FullModelPhase {

    private final Target target;
    private final PhaseOptions options;
    private final Prompt prompt;
    private final PhaseJournal journal;
    private final Lens lens;

    /// Looks at every layer of a plan's prefill.
    public interface Lens {

        List<LayerFigures> layers(Deployment deployment, Prompt prompt);
    }

    public FullModelPhase(Target target, PhaseOptions options, Prompt prompt, PhaseJournal journal, Lens lens) {
        this.target = target;
        this.options = options;
        this.prompt = prompt;
        this.journal = journal;
        this.lens = lens;
    }

    /// @throws NpuflowException NPF-520 if the plan does not compile
    public PhaseResult run(Deployment start) {
        journal.begin(PhaseLoop.BASELINE);
        journal.made(start);
        requireCompiled(target, start);
        journal.step(1, 3, "measuring the baseline");
        ProfileSummary profile = ProfileSummary.of(target.profile(start, prompt, options.tokens(), true));
        journal.measured(profile);
        journal.step(2, 3, "looking at its layers");
        journal.diagnosed(lens.layers(start, prompt));
        journal.step(3, 3, "verifying");
        GateResult gate = target.verify(start, options.prompts());
        journal.verdict(start.hash(), gate);
        if (gate.passed()) {
            journal.settleBaseline(start.hash());
        }
        PhaseState state = PhaseDescription.DECODE.state(start, profile);
        return new PhaseResult(GatedPhase.FULL_MODEL, PhaseDescription.DECODE.figure(), Status.of(gate.verdict()), gate.reason(), state, state,
                GateSummary.of(gate), List.of(), Optional.empty());
    }

    static void requireCompiled(Target target, Deployment plan) {
        List<Blocker> blockers = target.compile(plan);
        if (!blockers.isEmpty()) {
            throw NpuflowException.badInput("NPF-520", "plan to start from", "%s: %s".formatted(blockers.getFirst().launch(), blockers.getFirst().message()),
                    "a plan that compiles", "this: " + blockers.getFirst().remedy());
        }
    }
}
