package dev.npuflow.workflow.lowering;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.runtime.BufferObject;
import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Source;
import dev.npuflow.workflow.host.Values;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Puts into a buffer object's host side what the argument's source says.
///
/// Zeros stand where upstream has fresh arrays: in scratch memory, in what the device only writes or writes before it reads, and in the preload.
/// A value that the device reads and that no step has made is refused.
final class ArgumentFilling implements AutoCloseable {

    private final WeightSources weights;
    private final Values values;

    ArgumentFilling(WeightSources weights, Values values) {
        this.weights = weights;
        this.values = values;
    }

    /// @param zeros whether zeros stand for values that nobody has made, as in the preload
    /// @throws NpuflowException NPF-241 where a value is missing, NPF-243 where it has another size than the argument, NPF-245 as [WeightSources]
    void fill(BufferObject object, NpuCall call, Argument argument, int layer, int positions, boolean zeros) {
        long elements = CallRunner.activeElements(call, argument, positions);
        switch (argument.source()) {
            case Source.Weight weight -> object.writeImmutable(weights.rows(weight, layer));
            case Source.InterleavedWeights interleaved -> object.writeImmutable(weights.interleave(interleaved, layer));
            case Source.Scratch _ -> object.write(zeros(elements * argument.dataType().bytes()));
            case Source.Activation(String value) -> object.write(new Part(call, argument, 0, elements, zeros).value(value));
            case Source.LookUpTable(String value) -> object.write(new Part(call, argument, 0, elements, zeros).value(value));
            case Source.Packed packed -> object.write(pack(packed, call, argument, layer, zeros));
        }
    }

    private MemorySegment pack(Source.Packed packed, NpuCall call, Argument argument, int layer, boolean zeros) {
        List<MemorySegment> parts = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < packed.parts().size(); i++) {
            Part part = new Part(call, argument, at, packed.sizes().get(i), zeros);
            parts.add(switch (packed.parts().get(i)) {
                case Source.Weight weight -> weights.rows(weight, layer);
                case Source.InterleavedWeights interleaved -> weights.interleave(interleaved, layer);
                case Source.Activation(String value) -> part.value(value);
                case Source.LookUpTable(String value) -> part.value(value);
                case Source.Scratch _ -> zeros(part.bytes());
                case Source.Packed _ -> throw new IllegalStateException("a packed part inside a packed part");
            });
            at += packed.sizes().get(i);
        }
        return WeightSources.concatenate(parts);
    }

    private static MemorySegment zeros(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw NpuflowException.environment("NPF-243", "zeros for an argument", format(ROOT, "%d bytes", bytes), "less than 2 GiB", "an argument of its value's size");
        }
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    /// Elements of an argument that one source stands for.
    private final class Part {

        private final NpuCall call;
        private final Argument argument;
        private final long from;
        private final long elements;
        private final boolean zeros;

        Part(NpuCall call, Argument argument, long from, long elements, boolean zeros) {
            this.call = call;
            this.argument = argument;
            this.from = from;
            this.elements = elements;
            this.zeros = zeros;
        }

        long bytes() {
            return elements * argument.dataType().bytes();
        }

        MemorySegment value(String name) {
            Optional<short[]> found = isRead() ? values.find(name) : Optional.empty();
            if (found.isPresent()) {
                MemorySegment content = MemorySegment.ofArray(found.get());
                if (content.byteSize() != bytes()) {
                    throw NpuflowException.environment("NPF-243", "value %s".formatted(name), "%d bytes".formatted(content.byteSize()),
                            "%d bytes, as argument %s of %s".formatted(bytes(), argument.name(), call.name()), "a value of the argument's size");
                }
                return content;
            }
            return zeros || !AccessAnalysis.launchesNeedHost(call, argument, from, elements) ? zeros(bytes()) : MemorySegment.ofArray(values.get(name));
        }

        private boolean isRead() {
            return call.launches().stream().flatMap(launch -> launch.inputs().values().stream())
                    .anyMatch(operand -> operand.argument().equals(argument.name()));
        }
    }

    @Override public void close() {
        weights.close();
    }
}
