package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.Source;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Bytes of weight sources for one layer. Rows of one tensor are handed out as they are mapped, without a copy.
final class WeightSources {

    private final Weights weights;

    WeightSources(Weights weights) {
        this.weights = weights;
    }

    MemorySegment rows(Source.Weight weight, int layer) {
        Tensor tensor = weights.tensor(weight.tensor().replace("{layer}", Integer.toString(layer)));
        long rowBytes = 2L * tensor.columns();
        return tensor.data().asSlice(weight.firstRow() * rowBytes, weight.rows() * rowBytes);
    }

    /// Row 0 of each weight, then row 1 of each, and so on.
    MemorySegment interleave(Source.InterleavedWeights interleaved, int layer) {
        List<MemorySegment> sources = interleaved.weights().stream().map(weight -> rows(weight, layer)).toList();
        int rows = interleaved.weights().getFirst().rows();
        long rowBytes = sources.getFirst().byteSize() / rows;
        MemorySegment out = Arena.ofAuto().allocate(rowBytes * rows * sources.size());
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < sources.size(); i++) {
                MemorySegment.copy(sources.get(i), row * rowBytes, out, ((long) row * sources.size() + i) * rowBytes, rowBytes);
            }
        }
        return out;
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
