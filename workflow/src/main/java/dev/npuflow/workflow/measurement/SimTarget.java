package dev.npuflow.workflow.measurement;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.ElfClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Placement;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.GateRun;
import dev.npuflow.workflow.gate.ObservedStep;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.TextRoom;
import dev.npuflow.workflow.lowering.CompiledDeployment;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.DeclaredExtents;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.PlanPlacement;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.SkillTraits;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.model.WeightOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The embedded default: a simulated NPU that executes the deployment with its real weights and times it in the same run.
public final class SimTarget implements Target {

    /// Consecutive decode tokens of a self-check: a stale buffer object shows from the second on.
    static final int SELF_CHECK_TOKENS = 3;

    private final LanguageModel model;
    private final ModelPrompts prompts;
    private final DeviceDescription device;
    private final DeviceLowering lowering;
    private final ElfClock clock;
    private final ReferenceTokens reference;
    private final GenerationProgress progress;

    /// @param progress told how far each run is
    /// @throws NpuflowException NPF-309 where no model can be deployed on devices of this kind
    public SimTarget(LanguageModel model, ModelPrompts prompts, DeviceDescription device, ElfClock clock, ReferenceTokens reference,
            GenerationProgress progress) {
        this.model = model;
        this.prompts = prompts;
        this.device = device;
        this.lowering = DeviceLowering.of(device);
        this.clock = clock;
        this.reference = reference;
        this.progress = progress;
    }

    /// The reference's side of the gate, computed or read from a cache or a recorded file.
    public interface ReferenceTokens {

        /// One a prompt.
        List<Expected> traces(List<Prompt> prompts, GateRules rules);
    }

    @Override public String source() {
        String weights = model.weightOrigin() == WeightOrigin.SYNTHETIC ? "; synthetic weights" : "";
        return "simulated on %s (%s)%s".formatted(device.name(), device.trust(), weights);
    }

    @Override public Set<DeviceTrait> traits() {
        return SkillTraits.of(device);
    }

    @Override public Placement placement() {
        return new CompilerPlacement(device);
    }

    @Override public Deployment baseline() {
        return lowering.baseline(model);
    }

    /// A plan whose declared extents or sources are not true does not compile either.
    @Override public List<Blocker> compile(Deployment deployment) {
        List<Blocker> untrue = DeclaredExtents.untrue(deployment, lowering.shapeOf(model), model);
        return !untrue.isEmpty() ? untrue : switch (CompiledDeployment.compile(deployment, device)) {
            case CompiledDeployment.Outcome.Compiled _ -> List.of();
            case CompiledDeployment.Outcome.Blocked blocked -> blocked.blockers();
        };
    }

    @Override public SelfCheck selfCheck(Deployment before, Deployment after, boolean changesArithmetic) {
        return SelfCheck.compare(observe(before), observe(after), changesArithmetic);
    }

    /// Both plans read the same tokens, so a difference is the plan's and not the text's: after the prompt, its own first ids again.
    private List<ObservedStep> observe(Deployment deployment) {
        LayerOutputs outputs = new LayerOutputs(deployment.model().layers());
        try (DeploymentRun run = open(deployment, outputs)) {
            run.preload();
            int[] prompt = prompts.gate().getFirst().idArray();
            List<ObservedStep> steps = new ArrayList<>();
            outputs.clear();
            steps.add(outputs.step(0, run.prefill(prompt)));
            for (int i = 0; i < SELF_CHECK_TOKENS; i++) {
                outputs.clear();
                steps.add(outputs.step(i + 1, run.decode(prompt[i % prompt.length])));
            }
            return steps;
        }
    }

    @Override public GateResult verify(Deployment deployment, int count) {
        return judge(deployment, prompts.gate().subList(0, Math.min(count, prompts.gate().size())), GateRules.UPSTREAM);
    }

    @Override public Optional<GateResult> verifyLonger(Deployment deployment) {
        Prompt first = prompts.gate().getFirst();
        GateRules rules = GateRules.longer(TextRoom.of(model.config(), first).steps(GateRules.LONGER - 1) + 1);
        return rules.tokens() > GateRules.TOKENS ? Optional.of(judge(deployment, List.of(first), rules)) : Optional.empty();
    }

    private GateResult judge(Deployment deployment, List<Prompt> judged, GateRules rules) {
        List<Expected> traces = reference.traces(judged, rules);
        try (DeploymentRun run = open(deployment, RunObserver.NONE)) {
            run.preload();
            return GateRun.run(run, judged.stream().map(Prompt::idArray).toList(), traces, rules, progress);
        }
    }

    @Override public Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos) {
        StepTimes times = new StepTimes();
        try (DeploymentRun run = open(deployment, times)) {
            DeploymentRun.Preload preload = run.preload();
            progress.prompt(1, 1, tokens + 1);
            List<Integer> generated = times.generate(run, prompt, tokens, ignoreEos ? List.of() : model.config().eosTokenIds());
            return new Profile(model.name(), device.name(), deployment.hash(), source(), deployment.model().layers(), prompt.ids().size(),
                    deployment.model().paddedPrefill(), generated.size() - 1, preload.picoseconds(), preload.bytes(), times.prefill(), times.decode(),
                    generated);
        }
    }

    /// An engine that interprets the plan.
    ///
    /// @throws NpuflowException NPF-240 if the plan does not compile
    public DeploymentRun open(Deployment deployment, RunObserver observer) {
        DeclaredExtents.untrue(deployment, lowering.shapeOf(model), model).stream().findFirst().ifPresent(untrue -> {
            throw refusal(deployment, untrue);
        });
        return switch (CompiledDeployment.compile(deployment, device)) {
            case CompiledDeployment.Outcome.Compiled(CompiledDeployment compiled) -> new DeploymentRun(compiled, model, clock,
                    new ObservedProgress(observer, progress, deployment.model().layers()));
            case CompiledDeployment.Outcome.Blocked blocked -> throw refusal(deployment, blocked.blockers().getFirst());
        };
    }

    private static NpuflowException refusal(Deployment deployment, Blocker blocker) {
        return PlanPlacement.refusal("plan %s".formatted(deployment.hash().substring(0, 12)), blocker, "this: " + blocker.remedy());
    }

    /// The simulator repeats to the picosecond.
    @Override public Repetition repetition() {
        return new Repetition.Exact();
    }

    @Override public void close() {}
}
