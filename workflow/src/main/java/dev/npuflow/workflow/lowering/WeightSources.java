package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Source;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Bytes of weight sources for one layer. Rows of one tensor are handed out as they are mapped, without a copy, unless they reach beyond its end.
final class WeightSources implements AutoCloseable {

    /// The one weight that a plan may read beyond its end, since machines deal whole tiles of rows.
    private static final String HEAD = ModelEnds.HEAD.tensor();

    private final Weights weights;
    private final Arena arena = Arena.ofShared();
    private final Map<Interleaving, MemorySegment> interleaved = new HashMap<>();
    private final Map<Source.Weight, MemorySegment> filledUp = new HashMap<>();

    private record Interleaving(Source.InterleavedWeights source, int layer) {}

    WeightSources(Weights weights) {
        this.weights = weights;
    }

    /// @throws NpuflowException NPF-245 where the tensor's memory has been given back
    MemorySegment rows(Source.Weight weight, int layer) {
        Tensor tensor = weights.tensor(weight.tensor().replace("{layer}", Integer.toString(layer)));
        if (!tensor.data().scope().isAlive()) {
            throw NpuflowException.environment("NPF-245", "memory of weight %s".formatted(tensor.name()), "it to be open until it is written to the device",
                    "closing the model after the run");
        }
        long rowBytes = 2L * tensor.columns();
        long real = tensor.data().byteSize() - weight.firstRow() * rowBytes;
        if (weight.tensor().equals(HEAD) && real < weight.rows() * rowBytes) {
            return filledUp.computeIfAbsent(weight, _ -> arena.allocate(weight.rows() * rowBytes, Long.BYTES)
                    .copyFrom(tensor.data().asSlice(weight.firstRow() * rowBytes)));
        }
        return tensor.data().asSlice(weight.firstRow() * rowBytes, weight.rows() * rowBytes);
    }

    /// Row 0 of each weight, then row 1 of each, and so on. Made once a layer and kept as long as the run: it never changes.
    MemorySegment interleave(Source.InterleavedWeights source, int layer) {
        return interleaved.computeIfAbsent(new Interleaving(source, layer), _ -> interleaveRows(source, layer));
    }

    private MemorySegment interleaveRows(Source.InterleavedWeights source, int layer) {
        List<MemorySegment> parts = source.weights().stream().map(weight -> rows(weight, layer)).toList();
        int rows = source.weights().getFirst().rows();
        long rowBytes = parts.getFirst().byteSize() / rows;
        MemorySegment out = arena.allocate(rowBytes * rows * parts.size(), Long.BYTES);
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < parts.size(); i++) {
                MemorySegment.copy(parts.get(i), row * rowBytes, out, ((long) row * parts.size() + i) * rowBytes, rowBytes);
            }
        }
        return out;
    }

    @Override public void close() {
        arena.close();
    }

    static MemorySegment concatenate(List<MemorySegment> parts) {
        MemorySegment out = Arena.ofAuto().allocate(parts.stream().mapToLong(MemorySegment::byteSize).sum());
        long at = 0;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, out, at, part.byteSize());
            at += part.byteSize();
        }
        return out;
    }
}
