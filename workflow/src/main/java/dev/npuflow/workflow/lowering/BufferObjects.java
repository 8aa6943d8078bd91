package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.runtime.BufferObject;
import dev.npuflow.npu.runtime.NpuRuntime;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The buffer objects of a deployment: one set of them for each key, made when the key is first seen and then kept (reference document §D.2).
final class BufferObjects {

    private final NpuRuntime runtime;
    private final Map<Key, BufferSet> sets = new HashMap<>();

    BufferObjects(NpuRuntime runtime) {
        this.runtime = runtime;
    }

    /// The set of a call in a layer. Its first use must write every argument.
    BufferSet of(Phase phase, NpuCall call, int layer) {
        Key key = new Key(phase, call.name(), call.bufferKey() == BufferKey.PER_LAYER ? layer : -1);
        return sets.computeIfAbsent(key, _ -> new BufferSet(allocate(call)));
    }

    private List<BufferObject> allocate(NpuCall call) {
        return call.arguments().stream().map(argument -> allocate(call, argument)).toList();
    }

    private BufferObject allocate(NpuCall call, Argument argument) {
        return runtime.allocate(call.name() + "/" + argument.name(), argument.bytes());
    }

    private record Key(Phase phase, String call, int layer) {}

    /// The buffer objects of one key, one an argument.
    static final class BufferSet {
        private final List<BufferObject> objects;
        private boolean used;

        private BufferSet(List<BufferObject> objects) {
            this.objects = objects;
        }

        List<BufferObject> objects() {
            return objects;
        }

        /// Whether this is the first call of the key; it is not any more after this question.
        boolean firstUse() {
            boolean first = !used;
            used = true;
            return first;
        }
    }
}
