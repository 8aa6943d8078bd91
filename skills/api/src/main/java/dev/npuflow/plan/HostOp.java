package dev.npuflow.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// An operation of the host's CPU between NPU calls.
///
/// @param inputs  parameter to value or weight-tensor name (`{layer}` as in [Source.Weight])
/// @param outputs parameter to value name
/// @param shape   extents by name, from which its cost follows
/// @param options words that choose between forms, such as `layout` = `seq_first`
public record HostOp(String name, HostKind kind, SortedMap<String, String> inputs, SortedMap<String, String> outputs,
        SortedMap<String, Integer> shape, SortedMap<String, String> options) implements Step {

    public HostOp {
        inputs = Collections.unmodifiableSortedMap(new TreeMap<>(inputs));
        outputs = Collections.unmodifiableSortedMap(new TreeMap<>(outputs));
        shape = Collections.unmodifiableSortedMap(new TreeMap<>(shape));
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
    }

    public HostOp withInputs(SortedMap<String, String> changed) {
        return new HostOp(name, kind, changed, outputs, shape, options);
    }

    public HostOp withOptions(SortedMap<String, String> changed) {
        return new HostOp(name, kind, inputs, outputs, shape, changed);
    }
}
