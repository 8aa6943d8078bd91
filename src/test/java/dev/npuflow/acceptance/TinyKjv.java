package dev.npuflow.acceptance;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseJournal;
import dev.npuflow.workflow.phase.PhaseLoop;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.phase.PhaseProgress;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.reference.ReferenceOptions;
import dev.npuflow.workflow.reference.ReferenceTraces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/// The model that the tests deploy for real: trained, small, in the tree.
final class TinyKjv implements AutoCloseable {

    final LanguageModel model;
    final ModelPrompts prompts;
    final DeviceDescription device;
    final SimTarget target;
    private final Path workspace;

    private TinyKjv(LanguageModel model, ModelPrompts prompts, DeviceDescription device, SimTarget target, Path workspace) {
        this.model = model;
        this.prompts = prompts;
        this.device = device;
        this.target = target;
        this.workspace = workspace;
    }

    static Path directory() {
        return Path.of(System.getProperty("npuflow.root"), "programming_examples", "llms", "tiny_kjv");
    }

    static TinyKjv open(Path workspace) {
        return open(workspace, "npu2", List.of());
    }

    static TinyKjv open(Path workspace, String deviceName, List<String> overrides) {
        LanguageModel model = LanguageModels.open(directory(), OpenOptions.cachingIn(workspace.resolve("cache")));
        ModelPrompts prompts = ModelPrompts.read(model);
        DeviceDescription device = Devices.load(deviceName, overrides);
        SimTarget target = new SimTarget(model, prompts, device, new LaunchClock(),
                (asked, rules) -> new ReferenceTraces(workspace.resolve("cache"), ReferenceOptions.defaults(_ -> { }), rules.tokens(), rules.k())
                        .of(model, asked.stream().map(Prompt::idArray).toList(), GenerationProgress.SILENT),
                GenerationProgress.SILENT);
        return new TinyKjv(model, prompts, device, target, workspace);
    }

    /// The reference's side of the gate.
    List<Expected> traces(List<Prompt> asked) {
        return new ReferenceTraces(workspace.resolve("cache"), ReferenceOptions.defaults(_ -> { }), GateRules.UPSTREAM.tokens(), GateRules.UPSTREAM.k())
                .of(model, asked.stream().map(Prompt::idArray).toList(), GenerationProgress.SILENT);
    }

    /// Phase 5 with these skills, judged on all prompts.
    PhaseResult phase5(boolean selfCheck, Skill... skills) {
        try (Ledger ledger = Ledger.open(workspace)) {
            return phase5(target, ledger, ledger.beginRun(key(), new TreeMap<>()), options(selfCheck, prompts.gate().size()), skills);
        }
    }

    PhaseResult phase5(Target measured, Ledger ledger, RunId run, PhaseOptions options, Skill... skills) {
        PhaseJournal journal = new PhaseJournal(ledger, run, key().device(), PhaseProgress.SILENT, (_, _) -> "");
        return new PhaseLoop(measured, PhaseDescription.DECODE, options, prompts.canonical(), journal).run(measured.baseline(), SkillCatalog.of(List.of(skills)).skills());
    }

    static PhaseOptions options(boolean selfCheck, int prompts) {
        return new PhaseOptions(List.of(), new TreeMap<>(), selfCheck, false, prompts, 32, Duration.ofSeconds(30));
    }

    RunKey key() {
        return new RunKey(model.name() + " " + model.fingerprint(), GatedPhase.DECODE, CanonicalJson.hash(device));
    }

    @Override public void close() {
        target.close();
        model.close();
    }
}
