package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.block.Extent;
import dev.npuflow.workflow.block.Weight;
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

/// A model whose query heads and feed-forward are widened by zeros to what a plan states, since kernels take whole vectors. Only real heads and channels have
/// a part in any result: a zero gate is SiLU(0) = 0, and the columns of O and Down that read a zero channel or a phantom head are zero too.
///
/// Phantom heads go inside each key/value group, at its end, so that every real head still reads its own (docs/upstream.md, "The ELFs of the other models"):
///
///     heads 0 1 2 | 3 4 5   of groups 0 | 1   →   0 1 2 · | 3 4 5 ·
public final class PaddedModel implements LanguageModel, Weights {

    private final LanguageModel model;
    private final ModelConfig padded;
    private final Map<String, Tensor> tensors = new ConcurrentHashMap<>();

    private PaddedModel(LanguageModel model, ModelConfig padded) {
        this.model = model;
        this.padded = padded;
    }

    /// The model as a plan computes it: itself where nothing has to be widened.
    public static LanguageModel of(LanguageModel model, ModelShape plan) {
        ModelConfig padded = widened(model.config(), plan.heads(), plan.intermediateSize());
        return padded.equals(model.config()) ? model : new PaddedModel(model, padded);
    }

    /// A configuration whose query width and feed-forward are multiples.
    ///
    /// @param width that kernels take multiples of
    /// @throws NpuflowException NPF-202 where phantom heads would have a part in a result
    public static ModelConfig padded(ModelConfig c, int width) {
        int group = c.heads() / c.keyValueHeads();
        while (c.keyValueHeads() * group * c.headDim() % width != 0) {
            group++;
        }
        if (group * c.keyValueHeads() != c.heads() && c.block().normsWhole(Extent.QUERY)) {
            throw NpuflowException.badInput("NPF-202", "query width (%d)".formatted(c.queryDim()),
                    "a multiple of %d: the norm of the whole of Q would take the mean over the phantom heads too".formatted(width),
                    "the reference, which takes any width, with --engine reference");
        }
        return widened(c, group * c.keyValueHeads(), Math.ceilDiv(c.intermediateSize(), width) * width);
    }

    private static ModelConfig widened(ModelConfig c, int heads, int intermediateSize) {
        return new ModelConfig(c.architecture(), c.layers(), c.hiddenSize(), intermediateSize, heads, c.keyValueHeads(), c.headDim(), c.vocabSize(), c.tiedHead(), c.block(), c.rmsNormEpsilon(), c.maximumPositions(), c.rope(), c.eosTokenIds(), c.bosTokenId());
    }

    @Override public Tensor tensor(String name) {
        Optional<Weight> widened = padded.block().weight(Weight.inAnyLayer(name)).filter(weight -> isWidened(weight.rows()) || isWidened(weight.columns()));
        return widened.isPresent() ? tensors.computeIfAbsent(name, _ -> widened(name, widened.get())) : model.weights().tensor(name);
    }

    @Override public void requireFinite() {
        model.weights().requireFinite();
    }

    private boolean isWidened(Extent extent) {
        return padded.dimensions().of(extent) != model.config().dimensions().of(extent);
    }

    /// Zeros in the padded shape, and every element of the real tensor at its place.
    private Tensor widened(String name, Weight weight) {
        Tensor real = model.weights().tensor(name);
        int rows = padded.dimensions().of(weight.rows());
        int columns = padded.dimensions().of(weight.columns());
        MemorySegment data = Arena.ofAuto().allocate(2L * rows * columns);
        for (int row = 0; row < real.rows(); row++) {
            long from = 2L * row * real.columns();
            long to = 2L * place(weight.rows(), row) * columns;
            if (isWidened(weight.columns())) {
                for (int column = 0; column < real.columns(); column++) {
                    MemorySegment.copy(real.data(), from + 2L * column, data, to + 2L * place(weight.columns(), column), 2);
                }
            } else {
                MemorySegment.copy(real.data(), from, data, to, 2L * columns);
            }
        }
        return new Tensor(name, rows, columns, data.asReadOnly());
    }

    /// Where a real row or column stands among the padded ones: phantom heads are inside each group, all else that is added is at the end.
    private int place(Extent extent, int index) {
        if (extent != Extent.QUERY) {
            return index;
        }
        int group = model.config().heads() / padded.keyValueHeads();
        int head = index / padded.headDim();
        int moved = head / group * (padded.heads() / padded.keyValueHeads()) + head % group;
        return moved * padded.headDim() + index % padded.headDim();
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
