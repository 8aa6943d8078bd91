package dev.npuflow.acceptance;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.testkit.TinyModel;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lens.PlanRunner;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Tokenizer;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A model some of whose tensors hold other bytes until the first step of a run: the preload writes those to the device.
final class FirstWrites implements LanguageModel, Weights {

    private final LanguageModel model;
    private final Predicate<String> wrong;
    private boolean running;

    private FirstWrites(LanguageModel model, Predicate<String> wrong) {
        this.model = model;
        this.wrong = wrong;
    }

    /// @param wrong names of the tensors that hold something else while the preload runs
    static PlanRunner of(LanguageModel model, Predicate<String> wrong) {
        return (deployment, observer) -> {
            FirstWrites changing = new FirstWrites(model, wrong);
            Prompt unused = Prompt.ofIds(new int[] {1});
            SimTarget target = new SimTarget(changing, new ModelPrompts(unused, List.of(unused), 1, ModelPrompts.OWN_PROMPTS),
                    Devices.load(TinyModel.DEVICE, List.of()), new LaunchClock(), (_, _) -> List.of(), GenerationProgress.SILENT);
            return target.open(deployment, new RunObserver() {
                @Override public void afterStep(StepTime time, Values values) {
                    observer.afterStep(time, values);
                }

                @Override public void afterStep(Phase phase, Step step, StepTime time, Values values) {
                    changing.running = true;
                    observer.afterStep(phase, step, time, values);
                }

                @Override public LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
                    return observer.inspector(phase, call, layer);
                }
            });
        };
    }

    /// Its elements in reverse order, so that nothing but their meaning is other.
    @Override public Tensor tensor(String name) {
        Tensor right = model.weights().tensor(name);
        if (running || !wrong.test(name)) {
            return right;
        }
        long bytes = right.data().byteSize();
        MemorySegment reversed = Arena.ofAuto().allocate(bytes, 64);
        for (long at = 0; at < bytes; at += 2) {
            MemorySegment.copy(right.data(), at, reversed, bytes - 2 - at, 2);
        }
        return new Tensor(name, right.rows(), right.columns(), reversed.asReadOnly());
    }

    @Override public Weights weights() {
        return this;
    }

    @Override public String name() {
        return model.name();
    }

    @Override public Path directory() {
        return model.directory();
    }

    @Override public ModelConfig config() {
        return model.config();
    }

    @Override public Optional<Tokenizer> tokenizer() {
        return model.tokenizer();
    }

    @Override public WeightOrigin weightOrigin() {
        return model.weightOrigin();
    }

    @Override public String fingerprint() {
        return model.fingerprint();
    }

    @Override public void close() {
        model.close();
    }
}
