package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.testkit.TinyModel;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.GateRun;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.lens.Localizer;
import dev.npuflow.workflow.lens.PlanRunner;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.reference.ReferenceOptions;
import dev.npuflow.workflow.reference.ReferenceTraces;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// A model on which faults are injected one at a time. The reference's tokens are computed once, and the baseline's noise stays in the cache.
final class FaultBench implements AutoCloseable {

    private static final int STEPS = 8;
    private static final List<Prompt> PROMPTS = List.of(Prompt.ofIds(new int[] {3, 10, 5, 22, 77, 60, 2, 9, 41}), Prompt.ofIds(new int[] {70, 5, 99}));

    final LanguageModel model;
    final SimTarget target;
    final Deployment baseline;
    private final List<Prompt> prompts;
    private final List<Expected> traces;
    private final Path cache;
    private boolean noiseKnown;

    private FaultBench(LanguageModel model, SimTarget target, List<Prompt> prompts, List<Expected> traces, Path cache) {
        this.model = model;
        this.target = target;
        this.baseline = target.baseline();
        this.prompts = prompts;
        this.traces = traces;
        this.cache = cache;
    }

    /// Two layers of 64 channels and a vocabulary of 128, with weights that tell layers and projections apart.
    static ModelShape shape(String name, int heads, int keyValueHeads, int headDim, boolean bias, boolean headNorm) {
        return new ModelShape(name, 2, 64, 128, heads, keyValueHeads, headDim, 128, false, bias, headNorm, 1e-5, 2048);
    }

    static FaultBench of(ModelShape shape, Path cache) {
        LanguageModel model = TinyModel.open(shape);
        List<Expected> traces = ReferenceTraces.held(model, PROMPTS.stream().map(Prompt::idArray).toList(), ReferenceOptions.defaults(_ -> { }),
                GateRules.UPSTREAM.tokens(), GateRules.UPSTREAM.k());
        ModelPrompts prompts = new ModelPrompts(PROMPTS.getFirst(), PROMPTS, PROMPTS.size(), ModelPrompts.OWN_PROMPTS);
        SimTarget target = new SimTarget(model, prompts, Devices.load(TinyModel.DEVICE, List.of()), new LaunchClock(), (_, _) -> traces, GenerationProgress.SILENT);
        return new FaultBench(model, target, PROMPTS, traces, cache);
    }

    static FaultBench of(TinyKjv tiny, Path cache) {
        List<Prompt> prompts = tiny.prompts.gate();
        return new FaultBench(tiny.model, tiny.target, prompts, tiny.traces(prompts), cache);
    }

    /// The plan after built-in skills, in this order.
    Deployment after(Phase phase, String... skills) {
        return after(baseline, phase, skills);
    }

    Deployment after(Deployment before, Phase phase, String... skills) {
        Deployment plan = before;
        for (String name : skills) {
            plan = after(plan, phase, SkillCatalog.load(Optional.empty()).select(List.of(name)).getFirst().skill());
        }
        return plan;
    }

    Deployment after(Deployment plan, Phase phase, Skill skill) {
        SkillContext context = new SkillContext(phase, target.traits(), new TreeMap<>(), target.placement(), List.of());
        return assertInstanceOf(Assessment.Proposal.class, skill.assess(plan, context)).plan();
    }

    /// The gate catches it, the lens says where and what it is, and the documentation says the same.
    Localization.Fault assertCaught(FaultCase faulty) {
        assertEquals(Verdict.GATE_FAIL, verdict(faulty.plan(), faulty.injection()));
        Localization.Fault fault = localize(faulty.plan(), faulty.injection()).fault().orElseThrow();
        assertEquals(faulty.found(), FaultCase.Found.of(fault), fault.lines()::toString);
        FaultsDocument.assertListed(faulty.fault(), faulty.found());
        return fault;
    }

    Verdict verdict(Deployment plan, InjectedFault.Injection injection) {
        return verdict(target::open, plan, injection);
    }

    Verdict verdict(PlanRunner runner, Deployment plan, InjectedFault.Injection injection) {
        try (DeploymentRun run = runner.open(plan, injection.before(RunObserver.NONE))) {
            run.preload();
            return GateRun.run(run, prompts.stream().map(Prompt::idArray).toList(), traces, GateRules.UPSTREAM, GenerationProgress.SILENT).verdict();
        }
    }

    Localization localize(Deployment plan, InjectedFault.Injection injection) {
        return localize(target::open, plan, injection);
    }

    /// The noise is that of a run without the fault; the first localization leaves it in the cache.
    Localization localize(PlanRunner runner, Deployment plan, InjectedFault.Injection injection) {
        List<Prompt> two = prompts.subList(0, 2);
        if (!noiseKnown) {
            new Localizer(model, target::open, cache).localize(baseline, two, STEPS);
            noiseKnown = true;
        }
        return new Localizer(model, (deployment, observer) -> runner.open(deployment, injection.before(observer)), cache)
                .localize(plan, two, STEPS);
    }

    /// The gate passes, the lens is silent and has judged every launch.
    void assertHealthy(Deployment plan) {
        assertEquals(Verdict.PASS, verdict(plan, watcher -> watcher));
        Localization found = localize(plan, watcher -> watcher);
        assertEquals(Optional.empty(), found.fault(), () -> String.join("\n", found.lines()));
        assertEquals(List.of(), found.unjudged());
    }

    @Override public void close() {
        target.close();
        model.close();
    }
}
