package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.model.safetensors.ElementType;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Weights in mapped safetensors files, each checked against the configuration before any is used. BF16 is used where it lies; F32 and F16 are rounded
/// once, off heap, when first asked for.
final class StoredWeights implements Weights {

    private record Located(SafetensorsFile file, TensorEntry entry) {

        MemorySegment bytes() {
            return file.bytes(entry);
        }

        String fileName() {
            return InputFile.name(file.path());
        }
    }

    private final Arena arena;
    private final ModelConfig config;
    /// By Hugging Face name, whatever the files call them.
    private final Map<String, Located> located = new TreeMap<>();
    private final Map<String, Tensor> tensors = new ConcurrentHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private Optional<List<BadValues>> bad = Optional.empty();

    private StoredWeights(ModelConfig config, Arena arena) {
        this.config = config;
        this.arena = arena;
    }

    /// @throws NpuflowException NPF-101, NPF-106, NPF-108, NPF-120 to NPF-140 naming file and tensor
    static StoredWeights open(WeightFiles files, ModelConfig config, Arena arena) {
        StoredWeights weights = new StoredWeights(config, arena);
        weights.warnings.addAll(files.warnings());
        Map<String, Located> stored = new TreeMap<>();
        for (var path : files.files()) {
            add(SafetensorsFile.map(path, arena), files, stored);
        }
        weights.check(files, stored);
        return weights;
    }

    /// One file that holds exactly the tensors of the configuration.
    static StoredWeights of(SafetensorsFile file, ModelConfig config, Arena arena) {
        StoredWeights weights = new StoredWeights(config, arena);
        file.tensors().forEach(entry -> weights.located.put(entry.name(), new Located(file, entry)));
        return weights;
    }

    private static void add(SafetensorsFile file, WeightFiles files, Map<String, Located> stored) {
        String fileName = InputFile.name(file.path());
        for (TensorEntry entry : file.tensors()) {
            String indexed = files.tensorsOf().getOrDefault(entry.name(), "no file");
            if (files.sharded() && !indexed.equals(fileName)) {
                throw NpuflowException.badInput("NPF-131", "%s: file of tensor %s by the index".formatted(fileName, shown(entry)), indexed,
                        "files and index to agree", "downloading both again");
            }
            stored.put(entry.name(), new Located(file, entry));
        }
    }

    private void check(WeightFiles files, Map<String, Located> stored) {
        files.tensorsOf().forEach((name, file) -> {
            if (!stored.containsKey(name)) {
                throw NpuflowException.badInput("NPF-131", "%s lacks tensor %s, which the index gives to it".formatted(file, name),
                        "files and index to agree", "downloading both again");
            }
        });
        Map<String, List<Long>> expected = TensorShapes.of(config);
        String where = files.sharded() ? "model.safetensors.index.json" : InputFile.name(files.files().getFirst());
        TensorNames names = TensorNames.of(stored.keySet(), expected.keySet(), where);
        stored.forEach((name, tensor) -> located.put(names.named(name), tensor));
        expected.forEach((name, shape) -> requireShape(where, name, names.stored(name), shape));
        located.forEach((name, tensor) -> {
            if (!expected.containsKey(name)) {
                judgeExtra(name, tensor);
            }
        });
    }

    private void requireShape(String where, String name, String stored, List<Long> shape) {
        Located tensor = located.get(name);
        if (tensor == null) {
            throw NpuflowException.badInput("NPF-134", "%s: tensor %s is missing".formatted(where, stored), "a tensor of shape %s".formatted(shape),
                    name.equals(TensorShapes.HEAD) ? "tie_word_embeddings true, if the head is the embedding" : "the checkpoint that belongs to config.json");
        }
        if (!tensor.entry().shape().equals(shape)) {
            throw NpuflowException.badInput("NPF-135", "%s: shape of tensor %s".formatted(tensor.fileName(), stored), tensor.entry().shape(),
                    "%s by config.json".formatted(shape), "the config.json that belongs to this file");
        }
        ElementType type = tensor.entry().type();
        if (type != ElementType.BF16 && type != ElementType.F32 && type != ElementType.F16) {
            throw NpuflowException.badInput("NPF-137", "%s: type of tensor %s".formatted(tensor.fileName(), stored), type, "BF16, F32 or F16",
                    "an unquantized checkpoint");
        }
    }

    /// A tensor that nothing would use means that another model is meant. Two are known and harmless: the head of a tied model, and the frequencies
    /// that old Llama checkpoints store although they follow from the configuration.
    private void judgeExtra(String name, Located tensor) {
        if (name.equals(TensorShapes.HEAD)) {
            judgeTiedHead(tensor);
        } else if (!name.endsWith(".rotary_emb.inv_freq")) {
            throw NpuflowException.badInput("NPF-136", "%s: tensor %s belongs to nothing in config.json".formatted(tensor.fileName(), shown(tensor.entry())),
                    "only tensors of a %s of %d layers".formatted(config.architecture().className(), config.layers()),
                    "the config.json that belongs to this file");
        }
    }

    /// Transformers 4 ties whatever is stored; so do we, and say so where it matters.
    private void judgeTiedHead(Located head) {
        Located embedding = located.get(TensorShapes.EMBEDDING);
        if (head.entry().type() != embedding.entry().type() || head.bytes().mismatch(embedding.bytes()) != -1) {
            warnings.add("tie_word_embeddings is true, but the stored %s differs from the embedding: the embedding is used as head"
                    .formatted(TensorShapes.HEAD));
        }
    }

    /// Tensors in the files, used or not, as the files call them.
    List<TensorEntry> entries() {
        return located.values().stream().map(Located::entry).toList();
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override public Tensor tensor(String name) {
        String source = config.tiedHead() && name.equals(TensorShapes.HEAD) ? TensorShapes.EMBEDDING : name;
        Located tensor = located.get(source);
        if (tensor == null) {
            throw NpuflowException.badInput("NPF-134", "tensor %s is missing".formatted(name), "a tensor that config.json calls for",
                    "the checkpoint that belongs to config.json");
        }
        return tensors.computeIfAbsent(source, key -> asBf16(key, tensor));
    }

    @Override public synchronized void requireFinite() {
        bad = bad.or(() -> Optional.of(TensorShapes.of(config).keySet().stream().map(located::get)
                .flatMap(tensor -> TensorValues.bad(tensor.file(), tensor.entry()).stream()).toList()));
        List<BadValues> found = bad.orElseThrow();
        if (!found.isEmpty()) {
            BadValues first = found.getFirst();
            throw NpuflowException.badInput("NPF-142", "%s: tensor %s".formatted(first.file(), first.tensor()), first.firstText()
                    + (found.size() == 1 ? "" : "; %d tensors hold such values".formatted(found.size())), "values that are finite in bf16",
                    "npuflow inspect --values, which lists them all, and downloading the file again");
        }
    }

    private Tensor asBf16(String name, Located tensor) {
        List<Long> shape = tensor.entry().shape();
        int columns = (int) (long) shape.getLast();
        int rows = shape.size() == 1 ? 1 : (int) (long) shape.getFirst();
        return new Tensor(name, rows, columns, bf16(tensor, (long) rows * columns));
    }

    private MemorySegment bf16(Located tensor, long count) {
        if (tensor.entry().type() == ElementType.BF16) {
            return tensor.bytes();
        }
        return rounded(tensor, count, tensor.entry().type() == ElementType.F32 ? Bf16::roundF32 : Bf16::roundF16);
    }

    private interface Rounding {
        void apply(MemorySegment from, MemorySegment to, long count);
    }

    private MemorySegment rounded(Located tensor, long count, Rounding rounding) {
        MemorySegment to = OffHeap.allocate(arena, 2 * count);
        rounding.apply(tensor.bytes(), to, count);
        return to.asReadOnly();
    }

    private static String shown(TensorEntry entry) {
        return entry.name().length() > 120 ? entry.name().substring(0, 120) + "..." : entry.name();
    }
}
