package dev.npuflow.skill.testkit;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.reference.ReferenceOptions;
import dev.npuflow.workflow.reference.ReferenceTraces;
import java.util.List;

/// [TinyModel] on the simulated device: the same runs that a phase makes of a skill's plan.
final class TinyTarget {

    static final List<Prompt> PROMPTS = List.of(Prompt.ofIds(new int[] {1, 2, 3}), Prompt.ofIds(new int[] {70, 5, 99, 41, 8}));

    private TinyTarget() {}

    static SimTarget of(LanguageModel model) {
        ModelPrompts prompts = new ModelPrompts(PROMPTS.getFirst(), PROMPTS, PROMPTS.size(), ModelPrompts.OWN_PROMPTS);
        return new SimTarget(model, prompts, Devices.load(TinyModel.DEVICE, List.of()), new LaunchClock(),
                (asked, rules) -> traces(model, asked, rules), GenerationProgress.SILENT);
    }

    private static List<Expected> traces(LanguageModel model, List<Prompt> prompts, GateRules rules) {
        return ReferenceTraces.held(model, prompts.stream().map(Prompt::idArray).toList(), ReferenceOptions.defaults(_ -> { }), rules.tokens(), rules.k());
    }
}
