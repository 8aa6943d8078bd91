package dev.npuflow.workflow.host;

import dev.npuflow.fault.NpuflowException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The values that host operations and NPU calls hand to each other, by name: bf16, only real positions.
public final class Values {

    private final Map<String, short[]> byName = new TreeMap<>();

    public void put(String name, short[] value) {
        byName.put(name, value);
    }

    /// @throws NpuflowException NPF-241 if no step before made it: the plan is broken
    public short[] get(String name) {
        return find(name).orElseThrow(() -> NpuflowException.environment("NPF-241", "plan", "value %s".formatted(name), "a step that makes it before it is read",
                "npuflow plan, for the order of the steps"));
    }

    public Optional<short[]> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public void clear() {
        byName.clear();
    }
}
