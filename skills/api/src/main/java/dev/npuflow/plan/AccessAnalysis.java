package dev.npuflow.plan;

import dev.npuflow.plan.ArgumentAccess.FirstAccess;
import dev.npuflow.plan.ArgumentAccess.Reuse;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/// The static, intermediate, dead and output sets of a call, derived from its launches element by element.
///
/// The rule is that of docs/upstream.md, "Faults of buffer objects". An element's host value matters if a launch, or the read-back at the end, reads the
/// element before a launch of the same run wrote it. Then
///
/// - *intermediate*: no element's host value matters;
/// - *static*: those elements have one host value for all calls of the buffer key, and no launch writes them afterwards (it
///   would be there in the next run);
/// - *dead*: nobody touches the argument.
///
/// @param call      the analyzed call
/// @param arguments one access an argument, in argument order
public record AccessAnalysis(NpuCall call, List<ArgumentAccess> arguments) {

    public AccessAnalysis {
        arguments = List.copyOf(arguments);
    }

    /// @param inLayer whether the call stands in the layer section, so that `{layer}` changes from call to call
    public static AccessAnalysis of(NpuCall call, boolean inLayer) {
        boolean layerVaries = inLayer && call.bufferKey() == BufferKey.SHARED;
        return new AccessAnalysis(call, call.arguments().stream().map(argument -> access(call, argument, layerVaries)).toList());
    }

    public ArgumentAccess access(String argument) {
        return arguments.stream().filter(access -> access.argument().equals(argument)).findFirst()
                .orElseThrow(() -> new NoSuchElementException("call %s has no argument %s".formatted(call.name(), argument)));
    }

    public List<String> staticSet() {
        return named(Reuse.STATIC);
    }

    public List<String> intermediateSet() {
        return named(Reuse.INTERMEDIATE);
    }

    public List<String> deadSet() {
        return named(Reuse.DEAD);
    }

    /// Arguments that the host reads back.
    public List<String> outputSet() {
        return call.arguments().stream().filter(Argument::readBack).map(Argument::name).toList();
    }

    private List<String> named(Reuse reuse) {
        return arguments.stream().filter(access -> access.reuse() == reuse).map(ArgumentAccess::argument).toList();
    }

    /// Whether a launch reads any of `elements` elements of an argument, from element `from` on, before a launch of the same run wrote it: whether the
    /// host must have a value for them. The read-back at the end does not count.
    public static boolean launchesNeedHost(NpuCall call, Argument argument, long from, long elements) {
        Intervals wanted = Intervals.of(from, elements);
        Intervals written = Intervals.NONE;
        for (Launch launch : call.launches()) {
            if (touched(launch.inputs().values(), argument).minus(written).meets(wanted)) {
                return true;
            }
            written = written.union(touched(launch.outputs().values(), argument));
        }
        return false;
    }

    private static ArgumentAccess access(NpuCall call, Argument argument, boolean layerVaries) {
        FirstAccess first = FirstAccess.NONE;
        Intervals written = Intervals.NONE;
        Intervals fromHost = Intervals.NONE;
        for (Launch launch : call.launches()) {
            Intervals reads = touched(launch.inputs().values(), argument);
            Intervals writes = touched(launch.outputs().values(), argument);
            if (first == FirstAccess.NONE && !(reads.isEmpty() && writes.isEmpty())) {
                first = reads.isEmpty() ? FirstAccess.DEVICE_WRITE : FirstAccess.DEVICE_READ;
            }
            fromHost = fromHost.union(reads.minus(written));
            written = written.union(writes);
        }
        Intervals whole = Intervals.of(0, argument.elements());
        if (argument.readBack()) {
            fromHost = fromHost.union(whole.minus(written));
        }
        Reuse reuse;
        String reason;
        if (first == FirstAccess.NONE && !argument.readBack()) {
            reuse = Reuse.DEAD;
            reason = "no launch touches it";
        } else if (fromHost.isEmpty()) {
            reuse = Reuse.INTERMEDIATE;
            reason = "every element that is read was written before in the same run";
        } else if (fromHost.meets(written)) {
            reuse = Reuse.NONE;
            reason = "a launch reads elements first and overwrites them later";
        } else {
            List<String> varying = varying(argument.source(), argument.elements(), fromHost, layerVaries);
            reuse = varying.isEmpty() ? Reuse.STATIC : Reuse.NONE;
            reason = varying.isEmpty() ? "one host value for every call of the buffer key" : String.join("; ", varying);
        }
        return new ArgumentAccess(argument.name(), first, !written.isEmpty(), whole.minus(written).isEmpty(), fromHost.elements(), reuse,
                reason);
    }

    private static Intervals touched(Iterable<Operand> operands, Argument argument) {
        Intervals touched = Intervals.NONE;
        for (Operand operand : operands) {
            if (operand.argument().equals(argument.name())) {
                touched = touched.union(Intervals.of(operand.offset(), operand.elements()));
            }
        }
        return touched;
    }

    /// Why the host values of `needed` elements differ from call to call; empty if they do not.
    private static List<String> varying(Source source, long elements, Intervals needed, boolean layerVaries) {
        return switch (source) {
            case Source.Weight weight -> layerVaries && weight.tensor().contains("{layer}")
                    ? List.of("weight %s differs by layer, the buffer key is shared by all layers".formatted(weight.tensor())) : List.of();
            case Source.InterleavedWeights interleaved -> interleaved.weights().stream()
                    .flatMap(weight -> varying(weight, elements, needed, layerVaries).stream()).distinct().toList();
            case Source.Activation activation -> List.of("activation %s changes on every call".formatted(activation.value()));
            case Source.LookUpTable table -> List.of("look-up table %s changes with the position".formatted(table.value()));
            case Source.Scratch _ -> List.of();
            case Source.Packed packed -> varyingParts(packed, needed, layerVaries);
        };
    }

    private static List<String> varyingParts(Source.Packed packed, Intervals needed, boolean layerVaries) {
        List<String> reasons = new ArrayList<>();
        long offset = 0;
        for (int i = 0; i < packed.parts().size(); i++) {
            long size = packed.sizes().get(i);
            Intervals part = Intervals.of(offset, size);
            if (part.meets(needed)) {
                reasons.addAll(varying(packed.parts().get(i), size, part, layerVaries));
            }
            offset += size;
        }
        return reasons;
    }
}
