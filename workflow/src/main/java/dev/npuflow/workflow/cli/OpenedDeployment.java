package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.generation.TextRoom;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.Prompt;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/// A model with its prompts, on a target, in a workspace: what the commands work on.
final class OpenedDeployment implements AutoCloseable {

    private final LanguageModel model;
    private final LanguageModel original;
    private final ModelPrompts prompts;
    private final DeviceDescription device;
    private final SimTarget target;
    private final Function<LanguageModel, SimTarget> targets;
    private final Path workspace;
    private final DeploymentOptions options;

    private OpenedDeployment(LanguageModel model, LanguageModel original, ModelPrompts prompts, DeviceDescription device,
            Function<LanguageModel, SimTarget> targets, Path workspace, DeploymentOptions options) {
        this.model = model;
        this.original = original;
        this.prompts = prompts;
        this.device = device;
        this.targets = targets;
        this.target = targets.apply(model);
        this.workspace = workspace;
        this.options = options;
    }

    /// @throws NpuflowException NPF-804 for a target that is not there, NPF-309 for a device that no model can be deployed on, and what opening a model, device or workspace throws
    static OpenedDeployment open(DeploymentOptions options, Progress progress) {
        return open(options, Optional.empty(), progress);
    }

    /// @param reference another model, whose logits are right and whose prompts are asked; empty for the model itself
    /// @throws NpuflowException as [#open(DeploymentOptions, Progress)], and NPF-838 where the two have other vocabularies
    static OpenedDeployment open(DeploymentOptions options, Optional<String> reference, Progress progress) {
        if (!options.target().equals("sim")) {
            throw NpuflowException.badInput("NPF-804", "target", options.target(), "sim", "leaving --target out");
        }
        DeviceDescription device = DeviceLowering.of(Devices.load(options.device(), options.overrides())).device();
        Path workspace = options.workspace();
        progress.next("opening " + options.model());
        OpenOptions opening = OpenOptions.cachingIn(workspace.resolve("cache"));
        LanguageModel model = LanguageModels.open(ModelLocator.directory(options.model()), opening.withWeightsFrom(options.weights()));
        LanguageModel original = model;
        try {
            model.warnings().forEach(progress::warn);
            if (reference.isPresent()) {
                original = LanguageModels.open(ModelLocator.directory(reference.get()), opening);
                original.warnings().forEach(progress::warn);
                requireOneVocabulary(model, original);
            }
            ModelPrompts prompts = ModelPrompts.read(original);
            ReferenceSide right = new ReferenceSide(original, workspace.resolve("cache"), options.gateFile(), progress);
            Function<LanguageModel, SimTarget> targets = run -> new SimTarget(run, prompts, device, new LaunchClock(), right, progress);
            return new OpenedDeployment(model, original, prompts, device, targets, workspace, options);
        } catch (RuntimeException e) {
            close(model, original);
            throw e;
        }
    }

    private static void requireOneVocabulary(LanguageModel model, LanguageModel original) {
        int own = model.config().vocabSize();
        int others = original.config().vocabSize();
        if (own != others) {
            throw NpuflowException.badInput("NPF-838", "--reference %s".formatted(original.name()), "a vocabulary of %d".formatted(others),
                    "%d ids, as %s has: their logits are compared one by one".formatted(own, model.name()), "a copy of the model that is judged, or its original");
        }
    }

    private static void close(LanguageModel model, LanguageModel original) {
        model.close();
        if (!original.equals(model)) {
            original.close();
        }
    }

    LanguageModel model() {
        return model;
    }

    /// The model that the reference runs: [#model] itself, but where another was asked for.
    LanguageModel original() {
        return original;
    }

    ModelPrompts prompts() {
        return prompts;
    }

    SimTarget target() {
        return target;
    }

    /// Another model on the same device, judged by the same reference.
    SimTarget target(LanguageModel other) {
        return targets.apply(other);
    }

    DeviceDescription device() {
        return device;
    }

    Path workspace() {
        return workspace;
    }

    /// Whether another directory than the model's gives the weights.
    boolean weightsFromElsewhere() {
        return options.weights().isPresent();
    }

    Optional<Path> gateFile() {
        return options.gateFile();
    }

    TextRoom room(Prompt prompt) {
        return TextRoom.of(model.config(), prompt);
    }

    /// So many new tokens after the canonical prompt as the model has positions for.
    int clamp(int tokens) {
        return room(prompts.canonical()).steps(tokens);
    }

    RunKey runKey(GatedPhase phase) {
        return new RunKey("%s %s".formatted(model.name(), model.fingerprint()), phase, CanonicalJson.hash(device));
    }

    /// The plan that a command runs.
    ///
    /// @param asked as [PlanChoice#plan] takes it
    Deployment plan(String asked) {
        return new PlanChoice(this).plan(asked);
    }

    @Override public void close() {
        target.close();
        close(model, original);
    }
}
