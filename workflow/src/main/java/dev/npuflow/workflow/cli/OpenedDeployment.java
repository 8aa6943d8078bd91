package dev.npuflow.workflow.cli;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.target.SimTarget;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// A model with its prompts, on a target, in a workspace: what the commands work on.
final class OpenedDeployment implements AutoCloseable {

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

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
            throw NpuflowException.badInput("NPF-804", "target (%s)".formatted(options.target()), "sim", "leaving --target out");
        }
        DeviceDescription device = Devices.load(options.device(), options.overrides());
        Path workspace = options.workspace();
        progress.step("opening " + options.model());
        LanguageModel model = LanguageModels.open(ModelLocator.directory(options.model()),
                OpenOptions.cachingIn(workspace.resolve("cache")).withWeightsFrom(options.weights()));
        model.warnings().forEach(progress::warn);
        try {
            ModelPrompts prompts = ModelPrompts.read(model);
            ReferenceSide reference = new ReferenceSide(model, workspace.resolve("cache"), options.gateFile(), progress);
            SimTarget target = new SimTarget(model, prompts, device, new LaunchClock(), reference,
                    i -> progress.step("gate: prompt %d".formatted(i)));
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

    /// @param option by which `tokens` was asked for
    /// @throws NpuflowException NPF-806 if prompt and new tokens are more than the model's positions
    void requireRoom(Prompt prompt, String option, int tokens) {
        int taken = prompt.ids().size();
        requireRoom("prompt and new tokens (%d + %d)".formatted(taken, tokens), taken, option, tokens);
    }

    /// The same of `tokens` decode steps, which follow the prefill's token.
    ///
    /// @throws NpuflowException NPF-806
    void requireRoomToDecode(Prompt prompt, int tokens) {
        int taken = prompt.ids().size() + 1;
        requireRoom("prompt, first token and decoded tokens (%d + 1 + %d)".formatted(taken - 1, tokens), taken, "-n", tokens);
    }

    private void requireRoom(String what, int taken, String option, int tokens) {
        int positions = model.config().maximumPositions();
        int room = positions - taken;
        if (tokens > room) {
            throw NpuflowException.badInput("NPF-806", what, "at most the model's %d positions".formatted(positions),
                    room > 0 ? "%s %d".formatted(option, room) : "a shorter prompt");
        }
    }

    /// So many new tokens after the canonical prompt as the model has positions for.
    int clamp(int tokens) {
        return Math.clamp(model.config().maximumPositions() - (long) prompts.canonical().ids().size() - 1, 1, tokens);
    }

    RunKey runKey(GatedPhase phase) {
        return new RunKey("%s %s".formatted(model.name(), model.fingerprint()), phase, CanonicalJson.hash(device));
    }

    /// The plan that a command runs.
    ///
    /// @param asked `kept`, `baseline` or a plan's hash; `kept` is the baseline as long as no phase has kept anything
    /// @throws NpuflowException NPF-805 for another word
    Deployment plan(String asked) {
        if (asked.equals("baseline")) {
            return target.baseline();
        }
        boolean isHash = HASH.matcher(asked).matches();
        if (!isHash && !asked.equals("kept")) {
            throw NpuflowException.badInput("NPF-805", "--plan (%s)".formatted(asked), "kept, baseline or a plan's SHA-256", "leaving --plan out");
        }
        Optional<Ledger> ledger = Ledger.openToRead(workspace);
        if (ledger.isEmpty()) {
            return target.baseline();
        }
        try (Ledger opened = ledger.get()) {
            Optional<String> hash = isHash ? Optional.of(asked) : opened.lastKeptPlan(runKey(GatedPhase.DECODE)).or(() -> opened.lastKeptPlan(runKey(GatedPhase.PREFILL)));
            return hash.map(opened::plan).orElseGet(target::baseline);
        }
    }

    @Override public void close() {
        target.close();
        model.close();
    }
}
