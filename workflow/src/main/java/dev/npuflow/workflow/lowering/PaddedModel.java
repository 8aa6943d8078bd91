package dev.npuflow.workflow.lowering;

import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Tokenizer;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;

/// A model whose query heads and feed-forward are widened by zeros to what GEMV takes: multiples of 64 (reference document §G). Only real heads and channels have
/// a part in any result: a zero gate is SiLU(0) = 0, and the columns of O and Down that read a zero channel or a phantom head are zero too.
///
/// Phantom heads go inside each key/value group, at its end, so that every real head still reads its own (§E.4):
///
///     heads 0 1 2 | 3 4 5   of groups 0 | 1   →   0 1 2 · | 3 4 5 ·
public final class PaddedModel implements LanguageModel, Weights {

    private static final int WIDTH = 64;

    private final LanguageModel model;
    private final ModelConfig padded;
    private final Map<String, Tensor> tensors = new ConcurrentHashMap<>();

    private PaddedModel(LanguageModel model, ModelConfig padded) {
        this.model = model;
        this.padded = padded;
    }

    /// The model itself where nothing has to be widened.
    public static LanguageModel of(LanguageModel model) {
        ModelConfig padded = padded(model.config());
        return padded.equals(model.config()) ? model : new PaddedModel(model, padded);
    }

    static ModelConfig padded(ModelConfig c) {
        int group = c.heads() / c.keyValueHeads();
        while (c.keyValueHeads() * group * c.headDim() % WIDTH != 0) {
            group++;
        }
        return new ModelConfig(c.architecture(), c.layers(), c.hiddenSize(), Math.ceilDiv(c.intermediateSize(), WIDTH) * WIDTH, group * c.keyValueHeads(),
                c.keyValueHeads(), c.headDim(), c.vocabSize(), c.tiedHead(), c.queryKeyValueBias(), c.outputBias(), c.queryKeyNorm(), c.rmsNormEpsilon(), c.maximumPositions(),
                c.rope(), c.eosTokenIds(), c.bosTokenId());
    }

    @Override public Tensor tensor(String name) {
        String projection = name.replaceFirst(".*\\.([a-z]+_proj\\.[a-z]+)$", "$1");
        return switch (projection) {
            case "q_proj.weight" -> tensors.computeIfAbsent(name, _ -> rows(name, padded.queryDim(), this::queryRow));
            case "q_proj.bias" -> tensors.computeIfAbsent(name, _ -> columns(name, padded.queryDim(), this::queryRow));
            case "o_proj.weight" -> tensors.computeIfAbsent(name, _ -> columns(name, padded.queryDim(), this::queryRow));
            case "gate_proj.weight", "up_proj.weight" -> tensors.computeIfAbsent(name, _ -> rows(name, padded.intermediateSize(), row -> row));
            case "down_proj.weight" -> tensors.computeIfAbsent(name, _ -> columns(name, padded.intermediateSize(), column -> column));
            default -> model.weights().tensor(name);
        };
    }

    /// Where a channel of the real queries stands among the padded ones.
    private int queryRow(int row) {
        int group = model.config().heads() / padded.keyValueHeads();
        int head = row / padded.headDim();
        int moved = head / group * (padded.heads() / padded.keyValueHeads()) + head % group;
        return moved * padded.headDim() + row % padded.headDim();
    }

    private Tensor rows(String name, int rows, IntUnaryOperator place) {
        Tensor real = model.weights().tensor(name);
        long bytes = 2L * real.columns();
        MemorySegment data = Arena.ofAuto().allocate(bytes * rows);
        for (int row = 0; row < real.rows(); row++) {
            MemorySegment.copy(real.data(), row * bytes, data, place.applyAsInt(row) * bytes, bytes);
        }
        return new Tensor(name, rows, real.columns(), data.asReadOnly());
    }

    private Tensor columns(String name, int columns, IntUnaryOperator place) {
        Tensor real = model.weights().tensor(name);
        MemorySegment data = Arena.ofAuto().allocate(2L * real.rows() * columns);
        for (int row = 0; row < real.rows(); row++) {
            for (int column = 0; column < real.columns(); column++) {
                MemorySegment.copy(real.data(), 2L * ((long) row * real.columns() + column), data, 2L * ((long) row * columns + place.applyAsInt(column)), 2);
            }
        }
        return new Tensor(name, real.rows(), columns, data.asReadOnly());
    }

    @Override public ModelConfig config() {
        return padded;
    }

    @Override public String name() {
        return model.name();
    }

    @Override public Path directory() {
        return model.directory();
    }

    @Override public Weights weights() {
        return this;
    }

    @Override public Optional<Tokenizer> tokenizer() {
        return model.tokenizer();
    }

    @Override public WeightOrigin weightOrigin() {
        return model.weightOrigin();
    }

    @Override public List<String> warnings() {
        return model.warnings();
    }

    @Override public String fingerprint() {
        return model.fingerprint();
    }

    @Override public void close() {
        model.close();
    }
}
