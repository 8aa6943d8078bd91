package dev.npuflow.workflow.reference;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.generation.Logits;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Weights;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The judge: a decoder-only model in Hugging Face's bf16 semantics, eager attention order. A prompt read at once gives the same bits as the prompt read
/// token by token, on any number of threads, with any width of vectors; where the rope scaling depends on the length of the text, only as long as its
/// frequencies stay the same. Not for concurrent use.
///
/// Source of the order of operations and roundings: transformers' `modeling_llama.py`, `modeling_qwen2.py`, `modeling_qwen3.py`, `modeling_olmo2.py`, eager attention.
public final class ReferenceEngine implements TokenEngine {

    /// Changes whenever a result can change in any bit; part of the key of a cached trace.
    public static final String ARITHMETIC_VERSION = "reference-1";

    private final ModelConfig config;
    private final Weights weights;
    private final Tensor embedding;
    private final List<DecoderLayer> layers;
    private final RmsNorm finalNorm;
    private final Linear head;
    private final Arithmetic arithmetic;
    private final ReferenceOptions options;
    private final IntermediateObserver observer;
    private int position;

    /// The model must stay open as long as the engine.
    public ReferenceEngine(LanguageModel model, ReferenceOptions options) {
        this(model, options, DotProducts.choose(), Precision.BF16);
    }

    /// The same operators on the same weights with nothing rounded between them: what the model would compute if bf16 cost it nothing. No judge, a yardstick.
    public static ReferenceEngine unrounded(LanguageModel model, ReferenceOptions options) {
        return new ReferenceEngine(model, options, DotProducts.choose(), Precision.FP32);
    }

    ReferenceEngine(LanguageModel model, ReferenceOptions options, DotProducts dotProducts, Precision precision) {
        config = model.config();
        weights = model.weights();
        WeightReader reader = new WeightReader(config, weights);
        embedding = reader.embedding();
        finalNorm = reader.norm(ModelEnds.FINAL_NORM.weight(), IntermediateObserver.NO_LAYER);
        head = reader.linear(ModelEnds.HEAD_PROJECTION, Optional.empty(), IntermediateObserver.NO_LAYER);
        this.options = options;
        observer = options.observer();
        dotProducts.notice().ifPresent(options.notices());
        arithmetic = new Arithmetic(dotProducts.provider(), new WorkerPool(options.threads()), precision);
        RotaryEmbedding rope = new RotaryEmbedding(config.rope(), config.block().rounding());
        layers = IntStream.range(0, config.layers()).mapToObj(layer -> new DecoderLayer(layer, reader, rope, arithmetic, options)).toList();
    }

    /// @throws NpuflowException NPF-503 for an empty prompt, NPF-154 for an id outside the vocabulary, NPF-163 beyond the model's positions,
    ///         NPF-142 for a weight that keeps the logits from being finite
    @Override public float[] prefill(int[] prompt) {
        position = 0;
        return forward(prompt);
    }

    /// @throws NpuflowException as [#prefill]
    @Override public float[] decode(int token) {
        return forward(new int[] {token});
    }

    @Override public void close() {
        arithmetic.workers().close();
    }

    private float[] forward(int[] tokens) {
        check(tokens);
        float[] x = embed(tokens);
        observer.observe(IntermediateObserver.NO_LAYER, ModelEnds.STREAM, position, config.hiddenSize(), x);
        for (int layer = 0; layer < layers.size(); layer++) {
            x = through(layer, x, tokens.length);
        }
        position += tokens.length;
        int width = config.hiddenSize();
        float[] last = new float[width];
        System.arraycopy(x, x.length - width, last, 0, width);
        float[] normed = finalNorm.apply(last, arithmetic.precision());
        options.exact().ifPresent(exact -> exact.observe(IntermediateObserver.NO_LAYER, ModelEnds.FINAL_NORM.output(), normed, finalNorm.apply(last, Precision.FP32)));
        observer.observe(IntermediateObserver.NO_LAYER, ModelEnds.FINAL_NORM.output(), position - 1, width, normed);
        float[] logits = head.apply(normed, 1, arithmetic);
        options.exact().ifPresent(exact -> exact.observe(IntermediateObserver.NO_LAYER, ModelEnds.LOGITS, logits, head.apply(normed, 1, arithmetic.exact())));
        observer.observe(IntermediateObserver.NO_LAYER, ModelEnds.LOGITS, position - 1, logits.length, logits);
        return Logits.explained(logits, weights);
    }

    /// PyTorch would go on with NaN; here the pass ends, with what is to blame.
    private float[] through(int layer, float[] x, int positions) {
        try {
            return layers.get(layer).apply(x, position, positions);
        } catch (ArithmeticException overflow) {
            weights.requireFinite();
            throw NpuflowException.badInput("NPF-165", "attention of layer %d (%s)".formatted(layer, overflow.getMessage()), "scores that are finite",
                    "the config.json and the weights of one model: each weight is finite, and what is computed from them is too large for bf16");
        }
    }

    private float[] embed(int[] tokens) {
        int width = config.hiddenSize();
        float[] x = new float[tokens.length * width];
        for (int i = 0; i < tokens.length; i++) {
            System.arraycopy(WeightReader.row(embedding, tokens[i]), 0, x, i * width, width);
        }
        return x;
    }

    private void check(int[] tokens) {
        config.vocabulary().require("the prompt", tokens);
        if ((long) position + tokens.length > config.maximumPositions()) {
            throw NpuflowException.badInput("NPF-163", "position", position + tokens.length - 1,
                    "at most %d positions, as config.json says".formatted(config.maximumPositions()), "a shorter prompt or fewer tokens");
        }
    }
}
