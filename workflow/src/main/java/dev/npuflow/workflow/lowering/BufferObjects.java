package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.runtime.BufferObject;
import dev.npuflow.npu.runtime.NpuRuntime;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The buffer objects of a deployment: one set of them for each key, made when the key is first seen and then kept (docs/upstream.md, "Runtime").
final class BufferObjects {

    private final NpuRuntime runtime;
    private final Map<Key, BufferSet> sets = new HashMap<>();

    BufferObjects(NpuRuntime runtime) {
        this.runtime = runtime;
    }

    /// The set of a call in a layer. Its first use must write every argument.
    ///
    /// @throws NpuflowException NPF-242 for a call with other arguments than the one that the set was made for: what stays on the device stays in their
    ///                          order and in theirs alone
    BufferSet of(Phase phase, NpuCall call, int layer) {
        Key key = new Key(phase, call.name(), call.bufferKey() == BufferKey.PER_LAYER ? layer : -1);
        BufferSet set = sets.computeIfAbsent(key, _ -> new BufferSet(call.arguments(), allocate(call)));
        if (!set.arguments.equals(call.arguments())) {
            throw NpuflowException.environment("NPF-242", "arguments of %s".formatted(call.name()), different(set.arguments, call.arguments()),
                    "those that its buffer objects were made for", "one plan for preload and run");
        }
        return set;
    }

    private static String different(List<Argument> made, List<Argument> given) {
        return made.size() != given.size() ? "%d, made for %d".formatted(given.size(), made.size())
                : given.stream().filter(argument -> !made.contains(argument)).findFirst().map(Argument::name).orElse("another order");
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
        private final List<Argument> arguments;
        private final List<BufferObject> objects;
        private boolean used;

        private BufferSet(List<Argument> arguments, List<BufferObject> objects) {
            this.arguments = arguments;
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
