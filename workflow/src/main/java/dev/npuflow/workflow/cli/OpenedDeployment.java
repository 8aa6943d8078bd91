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
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.target.SimTarget;
import java.nio.file.Path;
import java.util.Optional;

/// A model with its prompts, on a target, in a workspace: what the commands work on.
final class OpenedDeployment implements AutoCloseable {

    private final LanguageModel model;
    private final ModelPrompts prompts;
    private final DeviceDescription device;
    private final SimTarget target;
    private final Path workspace;
    private final DeploymentOptions options;

    private OpenedDeployment(LanguageModel model, ModelPrompts prompts, DeviceDescription device, SimTarget target, Path workspace, DeploymentOptions options) {
        this.model = model;
        this.prompts = prompts;
        this.device = device;
        this.target = target;
        this.workspace = workspace;
        this.options = options;
    }

    /// @throws NpuflowException NPF-804 for a target that is not there, and what opening a model, device or workspace throws
    static OpenedDeployment open(DeploymentOptions options, Progress progress) {
        if (!options.target().equals("sim")) {
            throw NpuflowException.badInput("NPF-804", "target", options.target(), "sim", "leaving --target out");
        }
        DeviceDescription device = Devices.load(options.device(), options.overrides());
        Path workspace = options.workspace();
        progress.next("opening " + options.model());
        LanguageModel model = LanguageModels.open(ModelLocator.directory(options.model()),
                OpenOptions.cachingIn(workspace.resolve("cache")).withWeightsFrom(options.weights()));
        model.warnings().forEach(progress::warn);
        try {
            ModelPrompts prompts = ModelPrompts.read(model);
            ReferenceSide reference = new ReferenceSide(model, workspace.resolve("cache"), options.gateFile(), progress);
            SimTarget target = new SimTarget(model, prompts, device, new LaunchClock(), reference, progress);
            return new OpenedDeployment(model, prompts, device, target, workspace, options);
        } catch (RuntimeException e) {
            model.close();
            throw e;
        }
    }

    LanguageModel model() {
        return model;
    }

    ModelPrompts prompts() {
        return prompts;
    }

    SimTarget target() {
        return target;
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
        model.close();
    }
}
