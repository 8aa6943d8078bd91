package dev.npuflow.acceptance;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.target.StepTime;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/// Faults that no plan can express, at the borders where a run can be watched: device memory after a launch, the host's values after a step. Whoever
/// watches the run sees them as the device's and the host's own doing.
final class InjectedFault implements RunObserver {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final BiConsumer<NpuCall, Launched> onDevice;
    private final HostFault onHost;
    private final RunObserver watcher;

    private InjectedFault(BiConsumer<NpuCall, Launched> onDevice, HostFault onHost, RunObserver watcher) {
        this.onDevice = onDevice;
        this.onHost = onHost;
        this.watcher = watcher;
    }

    /// Puts the fault before somebody who watches.
    interface Injection {
        RunObserver before(RunObserver watcher);
    }

    private record Launched(Phase phase, int layer, String kernel, String name, Operands operands) {}

    private interface HostFault {
        void after(Phase phase, HostOp op, int layer, Values values);
    }

    /// RoPE rotates neighbours (2i, 2i + 1) in decode.
    static Injection interleavedRope(int headDim) {
        return watcher -> new InjectedFault((_, launched) -> {
            if (launched.phase() == Phase.DECODE && launched.kernel().equals("rope")) {
                rotateNeighbours(launched.operands(), headDim);
            }
        }, (_, _, _, _) -> { }, watcher);
    }

    /// A bare herd: the launch leaves zeros.
    static Injection bareHerd(String launch, int layer) {
        return watcher -> new InjectedFault((_, launched) -> {
            if (launched.phase() == Phase.DECODE && launched.layer() == layer && launched.name().equals(launch)) {
                launched.operands().port("out").fill((byte) 0);
            }
        }, (_, _, _, _) -> { }, watcher);
    }

    /// Query head h reads key/value head h mod kv_heads in decode.
    static Injection groupedByModulo(ModelConfig config) {
        return watcher -> new InjectedFault((_, _) -> { }, new DecodeAttention(config, true, 0), watcher);
    }

    /// Decode appends key and value one position too early, over those of the token before.
    static Injection appendedOneEarly(ModelConfig config) {
        return watcher -> new InjectedFault((_, _) -> { }, new DecodeAttention(config, false, 1), watcher);
    }

    @Override public LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
        LaunchInspector inner = watcher.inspector(phase, call, layer);
        return (launch, operands) -> {
            onDevice.accept(call, new Launched(phase, layer, call.launches().get(launch).kernel(), call.launches().get(launch).name(), operands));
            inner.afterLaunch(launch, operands);
        };
    }

    @Override public void afterStep(StepTime time, Values values) {
        watcher.afterStep(time, values);
    }

    @Override public void afterStep(Phase phase, Step step, StepTime time, Values values) {
        if (step instanceof HostOp op) {
            onHost.after(phase, op, time.layer(), values);
        }
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

    /// Decode attention written anew, with a fault; its cache is filled from what the plan hands over.
    private static final class DecodeAttention implements HostFault {

        private final ModelConfig config;
        private final boolean modulo;
        private final int early;
        private final Map<Integer, List<short[]>> keys = new TreeMap<>();
        private final Map<Integer, List<short[]>> values = new TreeMap<>();

        DecodeAttention(ModelConfig config, boolean modulo, int early) {
            this.config = config;
            this.modulo = modulo;
            this.early = early;
        }

        @Override public void after(Phase phase, HostOp op, int layer, Values run) {
            if (op.kind() == HostKind.EMBED && phase == Phase.PREFILL) {
                keys.clear();
                values.clear();
            } else if (op.kind() == HostKind.PREFILL_ATTENTION) {
                keep(keys, layer, run.get("k_roped"));
                keep(values, layer, run.get("v"));
            } else if (op.kind() == HostKind.DECODE_ATTENTION) {
                for (int i = 0; i < early; i++) {
                    keys.get(layer).removeLast();
                    values.get(layer).removeLast();
                }
                keep(keys, layer, run.get("k_roped"));
                keep(values, layer, run.get("v"));
                run.put("attention", attend(run.get("q_roped"), keys.get(layer), values.get(layer)));
            }
        }

        private void keep(Map<Integer, List<short[]>> cache, int layer, short[] rows) {
            List<short[]> kept = cache.computeIfAbsent(layer, _ -> new ArrayList<>());
            int width = config.keyValueDim();
            IntStream.range(0, rows.length / width).forEach(row -> kept.add(java.util.Arrays.copyOfRange(rows, row * width, (row + 1) * width)));
        }

        private short[] attend(short[] query, List<short[]> cachedKeys, List<short[]> cachedValues) {
            int headDim = config.headDim();
            short[] out = new short[query.length];
            for (int head = 0; head < config.heads(); head++) {
                int group = modulo ? head % config.keyValueHeads() : head / (config.heads() / config.keyValueHeads());
                double[] weights = new double[cachedKeys.size()];
                double sum = 0;
                for (int position = 0; position < weights.length; position++) {
                    double score = 0;
                    for (int d = 0; d < headDim; d++) {
                        score += Bfloat16.toFloat(query[head * headDim + d]) * Bfloat16.toFloat(cachedKeys.get(position)[group * headDim + d]);
                    }
                    weights[position] = Math.exp(score / Math.sqrt(headDim));
                    sum += weights[position];
                }
                for (int d = 0; d < headDim; d++) {
                    double mixed = 0;
                    for (int position = 0; position < weights.length; position++) {
                        mixed += weights[position] / sum * Bfloat16.toFloat(cachedValues.get(position)[group * headDim + d]);
                    }
                    out[head * headDim + d] = Bfloat16.fromFloat((float) mixed);
                }
            }
            return out;
        }
    }
}
