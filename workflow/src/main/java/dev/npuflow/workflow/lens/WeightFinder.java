package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.TensorShapes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.IntStream;

/// Recognizes weights by their bits.
final class WeightFinder {

    private final LanguageModel model;
    private final List<String> names;

    WeightFinder(LanguageModel model) {
        this.model = model;
        names = List.copyOf(TensorShapes.of(model.config()).keySet());
    }

    /// @param found  the bytes behind the port, whole rows
    /// @param tensor Hugging Face name of the tensor that should stand there, from `firstRow` on
    Content whole(MemorySegment found, String tensor, long firstRow) {
        if (equal(found, tensor, firstRow)) {
            return new Content.Right();
        }
        for (String candidate : candidates(tensor)) {
            if (equal(found, candidate, 0)) {
                return new Content.Weight(candidate, 0);
            }
        }
        Tensor whole = model.weights().tensor(tensor);
        long rows = Math.max(1, found.byteSize() / (2L * whole.columns()));
        for (long row = 0; row + rows <= whole.rows(); row += rows) {
            if (equal(found, tensor, row)) {
                return new Content.Weight(tensor, (int) row);
            }
        }
        return isZero(found) ? new Content.Zeros() : new Content.Unknown();
    }

    /// The likeliest first: the same tensor of other layers, others of this layer, others of other layers.
    private SequencedSet<String> candidates(String tensor) {
        SequencedSet<String> candidates = new LinkedHashSet<>();
        String role = role(tensor);
        if (!role.equals(tensor)) {
            String layer = tensor.substring(0, tensor.length() - role.length());
            names.stream().filter(name -> role(name).equals(role)).forEach(candidates::add);
            names.stream().filter(name -> name.startsWith(layer)).forEach(candidates::add);
            names.stream().filter(name -> !role(name).equals(name)).forEach(candidates::add);
        }
        candidates.add(TensorShapes.FINAL_NORM);
        return candidates;
    }

    /// @param tensors whose rows should stand in turn
    Content inTurn(MemorySegment found, List<String> tensors) {
        if (alternate(found, tensors)) {
            return new Content.Right();
        }
        Optional<List<String>> other = IntStream.range(0, model.config().layers())
                .mapToObj(layer -> tensors.stream().map(tensor -> "model.layers.%d.%s".formatted(layer, role(tensor))).toList())
                .flatMap(ofLayer -> List.of(ofLayer, ofLayer.reversed()).stream())
                .filter(candidate -> alternate(found, candidate)).findFirst();
        if (other.isPresent()) {
            return new Content.WeightsInTurn(other.get());
        }
        return isZero(found) ? new Content.Zeros() : new Content.Unknown();
    }

    private boolean alternate(MemorySegment found, List<String> tensors) {
        List<Tensor> parts = tensors.stream().map(model.weights()::tensor).toList();
        long bytes = 2L * parts.getFirst().columns();
        if (found.byteSize() != parts.stream().mapToLong(part -> part.data().byteSize()).sum()) {
            return false;
        }
        return IntStream.range(0, parts.getFirst().rows() * parts.size()).allMatch(row -> found.asSlice(row * bytes, bytes)
                .mismatch(parts.get(row % parts.size()).data().asSlice(row / parts.size() * bytes, bytes)) == -1);
    }

    /// A tensor's name without its layer.
    static String role(String tensor) {
        return tensor.replaceFirst("^model\\.layers\\.\\d+\\.", "");
    }

    private static boolean isZero(MemorySegment found) {
        for (long at = 0; at < found.byteSize(); at++) {
            if (found.get(ValueLayout.JAVA_BYTE, at) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Only the head may be taken in parts, the last of them filled up with zero rows.
    private boolean equal(MemorySegment found, String name, long firstRow) {
        MemorySegment tensor = model.weights().tensor(name).data();
        long from = firstRow * 2L * model.weights().tensor(name).columns();
        if (from >= tensor.byteSize()) {
            return false;
        }
        long bytes = Math.min(found.byteSize(), tensor.byteSize() - from);
        return (name.equals(TensorShapes.HEAD) ? isZero(found.asSlice(bytes)) : found.byteSize() == tensor.byteSize())
                && found.asSlice(0, bytes).mismatch(tensor.asSlice(from, bytes)) == -1;
    }
}
