package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.ElfClock;
import dev.npuflow.npu.runtime.NpuRuntime;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.generation.Logits;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.host.HostOperations;
import dev.npuflow.workflow.host.KeyValueCache;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.CallRunner.CallTime;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Vocabulary;
import dev.npuflow.workflow.model.Weights;
import java.util.List;

/// A compiled plan at work: interprets the steps, nothing else. What the plan does not say does not happen; what it says wrongly goes wrong.
public final class DeploymentRun implements TokenEngine {

    private final Deployment deployment;
    private final NpuRuntime runtime;
    private final CallRunner calls;
    private final HostOperations host;
    private final HostOperationClock hostClock;
    private final KeyValueCache cache;
    private final Values values = new Values();
    private final RunObserver observer;
    private final Vocabulary vocabulary;
    private final Weights weights;
    private int position;
    private int decodePass;

    public DeploymentRun(CompiledDeployment compiled, LanguageModel model, ElfClock elfClock, RunObserver observer) {
        this.deployment = compiled.deployment();
        this.observer = observer;
        this.hostClock = new HostOperationClock(compiled.device().host());
        this.runtime = new NpuRuntime(compiled.device(), elfClock, new DeviceHostClock(compiled.device()));
        this.vocabulary = model.config().vocabulary();
        this.weights = model.weights();
        LanguageModel padded = PaddedModel.of(model, deployment.model());
        this.calls = new CallRunner(runtime, compiled, padded.weights(), values);
        this.cache = new KeyValueCache(padded.config().layers(), padded.config().keyValueHeads(), padded.config().headDim());
        this.host = new HostOperations(padded.config(), padded.weights(), values, cache);
    }

    /// What the preload did.
    ///
    /// @param picoseconds simulated, not part of any query
    /// @param bytes       written into buffer objects
    public record Preload(long picoseconds, long bytes) {}

    /// Dispatches every buffer-object key once with zero activations, so that no query pays a first call (docs/upstream.md, "Runtime").
    public Preload preload() {
        long picoseconds = 0;
        long bytes = 0;
        for (Phase phase : Phase.values()) {
            PhasePlan plan = deployment.phase(phase);
            for (Section section : Section.values()) {
                int layers = section == Section.LAYER ? deployment.model().layers() : 1;
                for (Step step : steps(plan, section)) {
                    if (step instanceof NpuCall call) {
                        int keys = call.bufferKey() == BufferKey.PER_LAYER ? layers : 1;
                        for (int layer = 0; layer < keys; layer++) {
                            values.clear();
                            CallTime time = calls.preload(phase, call, layer);
                            picoseconds += time.write() + time.run() + time.read();
                            bytes += time.bytesWritten();
                        }
                    }
                }
            }
        }
        values.clear();
        return new Preload(picoseconds, bytes);
    }

    /// @throws NpuflowException NPF-503 for an empty prompt, NPF-246 for one that is longer than the plan's prefill, NPF-154 for an id outside the vocabulary, NPF-142 for a weight that keeps the
    ///         logits from being finite
    @Override public float[] prefill(int[] prompt) {
        vocabulary.require("the prompt", prompt);
        int room = deployment.model().paddedPrefill();
        if (prompt.length > room) {
            throw NpuflowException.badInput("NPF-246", "prompt of %d tokens on the NPU".formatted(prompt.length), "at most %d, to which the plan pads a prefill".formatted(room),
                    "a shorter prompt, or generate with --engine reference");
        }
        cache.clear();
        position = 0;
        decodePass = 0;
        float[] logits = pass(Phase.PREFILL, prompt, 0);
        position = prompt.length;
        return logits;
    }

    /// @throws NpuflowException as [#prefill]
    @Override public float[] decode(int token) {
        vocabulary.require("the text so far", token);
        float[] logits = pass(Phase.DECODE, new int[] {token}, decodePass);
        position++;
        decodePass++;
        return logits;
    }

    @Override public void close() {
        runtime.close();
        calls.close();
    }

    private float[] pass(Phase phase, int[] ids, int pass) {
        PhasePlan plan = deployment.phase(phase);
        values.clear();
        run(phase, Section.PROLOGUE, steps(plan, Section.PROLOGUE), -1, ids, pass);
        for (int layer = 0; layer < deployment.model().layers(); layer++) {
            run(phase, Section.LAYER, steps(plan, Section.LAYER), layer, ids, pass);
        }
        run(phase, Section.EPILOGUE, steps(plan, Section.EPILOGUE), -1, ids, pass);
        HostOp argmax = plan.epilogue().stream()
                .filter(HostOp.class::isInstance).map(HostOp.class::cast).filter(op -> op.kind() == HostKind.ARGMAX).findFirst()
                .orElseThrow(() -> new IllegalStateException("the %s epilogue has no argmax".formatted(phase)));
        return Logits.explained(host.logits(argmax), weights);
    }

    private void run(Phase phase, Section section, List<Step> steps, int layer, int[] ids, int pass) {
        for (Step step : steps) {
            StepTime stepTime = switch (step) {
                case NpuCall call -> {
                    CallTime time = calls.run(phase, call, Math.max(layer, 0), ids.length, observer.inspector(phase, call, layer));
                    yield new StepTime(call.name(), Kind.NPU, section, layer, pass, time.write(), time.run(), time.read(),
                            time.bytesWritten(), time.buffersWritten(), time.buffersRead());
                }
                case HostOp op -> {
                    host.execute(op, Math.max(layer, 0), ids, position);
                    long time = hostClock.picoseconds(op, position + ids.length);
                    yield new StepTime(op.name(), Kind.HOST, section, layer, pass, 0, time, 0, 0, 0, 0);
                }
            };
            observer.afterStep(phase, step, stepTime, values);
        }
    }

    private static List<Step> steps(PhasePlan plan, Section section) {
        return switch (section) {
            case PROLOGUE -> plan.prologue();
            case LAYER -> plan.layer();
            case EPILOGUE -> plan.epilogue();
        };
    }
}
