package dev.npuflow.acceptance;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.ValueFlow;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.model.ModelConfig;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Faults that no plan can express, at the borders where a run can be watched: device memory after a launch, the host's values after a step. Whoever
/// watches the run sees them as the device's and the host's own doing.
final class InjectedFault implements RunObserver {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Consumer<Launched> onDevice;
    private final HostFault onHost;
    private final RunObserver watcher;

    private InjectedFault(Consumer<Launched> onDevice, HostFault onHost, RunObserver watcher) {
        this.onDevice = onDevice;
        this.onHost = onHost;
        this.watcher = watcher;
    }

    /// Puts the fault before somebody who watches.
    interface Injection {
        RunObserver before(RunObserver watcher);
    }

    private record Launched(Phase phase, int layer, Launch launch, Operands operands) {}

    interface HostFault {

        /// @param step an NPU call too: what it has read back stands in the values
        void after(Phase phase, Step step, int layer, Values values);
    }

    /// RoPE rotates neighbours (2i, 2i + 1) in decode.
    static Injection interleavedRope(int headDim) {
        return onDevice(launched -> {
            if (launched.phase() == Phase.DECODE && launched.launch().kernel().equals("rope")) {
                rotateNeighbours(launched.operands(), headDim);
            }
        });
    }

    /// A bare herd: the launch leaves zeros.
    static Injection bareHerd(String launch, int layer) {
        return onDevice(launched -> {
            if (launched.phase() == Phase.DECODE && launched.layer() == layer && launched.launch().name().equals(launch)) {
                launched.operands().port("out").fill((byte) 0);
            }
        });
    }

    /// FlashAttention's query head h reads key/value head h mod kv_heads.
    static Injection flashAttentionByModulo(ModelConfig config) {
        return onDevice(launched -> {
            if (launched.launch().kernel().equals("flash_attention")) {
                new FlashAttention(config, launched.launch().shape().containsKey("head_first")).overwrite(launched.operands());
            }
        });
    }

    /// Query head h reads key/value head h mod kv_heads in decode.
    static Injection groupedByModulo(ModelConfig config) {
        return watcher -> onHost(new DecodeAttention(config, true, 0, false), watcher);
    }

    /// Decode appends key and value one position too early, over those of the token before.
    static Injection appendedOneEarly(ModelConfig config) {
        return watcher -> onHost(new DecodeAttention(config, false, 1, false), watcher);
    }

    /// The KV cache keeps views of buffer objects that all layers share.
    static Injection cachedViews(ModelConfig config) {
        return watcher -> onHost(new DecodeAttention(config, false, 0, true), watcher);
    }

    /// In prefill a value is layer 0's in every layer: the memory that it was read into is not its own.
    static Injection ofLayer0(String value) {
        return watcher -> {
            Map<String, short[]> kept = new TreeMap<>();
            return onHost((phase, step, layer, values) -> {
                if (phase == Phase.PREFILL && ValueFlow.of(step).writes().contains(value)) {
                    if (layer == 0) {
                        kept.put(value, values.get(value));
                    }
                    values.put(value, kept.get(value));
                }
            }, watcher);
        };
    }

    private static Injection onDevice(Consumer<Launched> fault) {
        return watcher -> new InjectedFault(fault, (_, _, _, _) -> { }, watcher);
    }

    private static InjectedFault onHost(HostFault fault, RunObserver watcher) {
        return new InjectedFault(_ -> { }, fault, watcher);
    }

    @Override public LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
        LaunchInspector inner = watcher.inspector(phase, call, layer);
        return (launch, operands) -> {
            onDevice.accept(new Launched(phase, layer, call.launches().get(launch), operands));
            inner.afterLaunch(launch, operands);
        };
    }

    @Override public void afterStep(StepTime time, Values values) {
        watcher.afterStep(time, values);
    }

    @Override public void afterStep(Phase phase, Step step, StepTime time, Values values) {
        onHost.after(phase, step, time.layer(), values);
        watcher.afterStep(phase, step, time, values);
    }

    private static void rotateNeighbours(Operands operands, int headDim) {
        MemorySegment out = operands.port("out");
        short[] in = operands.port("in").toArray(BF16);
        short[] table = operands.port("table").toArray(BF16);
        for (int row = 0; row < in.length / headDim; row++) {
            for (int i = 0; i < headDim / 2; i++) {
                float cos = Bfloat16.toFloat(table[row * headDim + i]);
                float sin = Bfloat16.toFloat(table[row * headDim + headDim / 2 + i]);
                int at = row * headDim + 2 * i;
                float a = Bfloat16.toFloat(in[at]);
                float b = Bfloat16.toFloat(in[at + 1]);
                out.setAtIndex(BF16, at, Bfloat16.fromFloat(a * cos - b * sin));
                out.setAtIndex(BF16, at + 1, Bfloat16.fromFloat(b * cos + a * sin));
            }
        }
    }
}
