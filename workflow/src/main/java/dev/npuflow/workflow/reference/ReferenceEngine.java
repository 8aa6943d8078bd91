package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Tensor;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The judge: a decoder-only model in Hugging Face's bf16 semantics, eager attention order. A prompt read at once gives the same bits as the prompt read
/// token by token, on any number of threads, with any width of vectors; where the rope scaling depends on the length of the text, only as long as its
/// frequencies stay the same. Not for concurrent use.
///
/// Source of the order of operations and roundings: transformers' `modeling_llama.py`, `modeling_qwen2.py`, `modeling_qwen3.py`, eager attention.
public final class ReferenceEngine implements TokenEngine {

    /// Changes whenever a result can change in any bit; part of the key of a cached trace.
    public static final String ARITHMETIC_VERSION = "reference-1";

    private final ModelConfig config;
    private final Tensor embedding;
    private final List<LayerWeights> layers;
    private final RmsNorm finalNorm;
    private final Linear head;
    private final RotaryEmbedding rope;
    private final Attention attention;
    private final List<KeyValueCache> caches;
    private final Arithmetic arithmetic;
    private final IntermediateObserver observer;
    private int position;

    /// The model must stay open as long as the engine.
    public ReferenceEngine(LanguageModel model, ReferenceOptions options) {
        this(model, options, DotProducts.choose());
    }

    ReferenceEngine(LanguageModel model, ReferenceOptions options, DotProducts dotProducts) {
        config = model.config();
        WeightReader reader = new WeightReader(config, model.weights());
        embedding = reader.embedding();
        layers = IntStream.range(0, config.layers()).mapToObj(reader::layer).toList();
        finalNorm = reader.finalNorm();
        head = reader.head();
        rope = new RotaryEmbedding(config.rope());
        attention = new Attention(config.heads(), config.keyValueHeads(), config.headDim());
        caches = Stream.generate(() -> new KeyValueCache(config.keyValueDim())).limit(config.layers()).toList();
        observer = options.observer();
        dotProducts.notice().ifPresent(options.notices());
        arithmetic = new Arithmetic(dotProducts.provider(), new WorkerPool(options.threads()));
    }

    /// @throws NpuflowException NPF-503 for an empty prompt, NPF-154 for an id outside the vocabulary, NPF-163 beyond the model's positions
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
        float[] x = seen(IntermediateObserver.NO_LAYER, Operator.EMBEDDING, config.hiddenSize(), embed(tokens));
        for (int layer = 0; layer < layers.size(); layer++) {
            x = layer(layer, x, tokens.length);
        }
        position += tokens.length;
        int width = config.hiddenSize();
        float[] last = new float[width];
        System.arraycopy(x, x.length - width, last, 0, width);
        float[] normed = finalNorm.apply(last);
        observer.observe(IntermediateObserver.NO_LAYER, Operator.FINAL_NORM, position - 1, width, normed);
        float[] logits = head.apply(normed, 1, arithmetic);
        observer.observe(IntermediateObserver.NO_LAYER, Operator.LOGITS, position - 1, logits.length, logits);
        return logits;
    }

    private float[] layer(int index, float[] x, int positions) {
        LayerWeights weights = layers.get(index);
        float[] residual = seen(index, Operator.RESIDUAL, config.hiddenSize(), Activations.add(x, attend(index, weights, x, positions)));
        float[] normed = seen(index, Operator.FFN_NORMED, config.hiddenSize(), weights.feedForwardNorm().apply(residual));
        float[] gate = linear(index, Operator.GATE, weights.gate(), normed, positions);
        float[] up = linear(index, Operator.UP, weights.up(), normed, positions);
        float[] product = seen(index, Operator.SILU_MUL, config.intermediateSize(), Activations.siluTimes(gate, up, arithmetic.workers()));
        float[] down = linear(index, Operator.DOWN, weights.down(), product, positions);
        return seen(index, Operator.OUTPUT, config.hiddenSize(), Activations.add(residual, down));
    }

    private float[] attend(int index, LayerWeights weights, float[] x, int positions) {
        float[] normed = seen(index, Operator.NORMED, config.hiddenSize(), weights.inputNorm().apply(x));
        float[] q = projected(index, Operator.Q_UNBIASED, Operator.Q, weights.query(), normed, positions);
        float[] k = projected(index, Operator.K_UNBIASED, Operator.K, weights.key(), normed, positions);
        float[] v = projected(index, Operator.V_UNBIASED, Operator.V, weights.value(), normed, positions);
        float[] qNormed = weights.queryNorm().map(norm -> seen(index, Operator.Q_NORMED, config.queryDim(), norm.apply(q))).orElse(q);
        float[] kNormed = weights.keyNorm().map(norm -> seen(index, Operator.K_NORMED, config.keyValueDim(), norm.apply(k))).orElse(k);
        float[] qRoped = seen(index, Operator.Q_ROPED, config.queryDim(), rope.apply(qNormed, position, positions, config.headDim()));
        float[] kRoped = seen(index, Operator.K_ROPED, config.keyValueDim(), rope.apply(kNormed, position, positions, config.headDim()));
        caches.get(index).put(position, kRoped, v);
        float[] mixed = attention.apply(qRoped, caches.get(index), position, arithmetic.workers());
        return projected(index, Operator.O_UNBIASED, Operator.O, weights.output(), seen(index, Operator.ATTENTION, config.queryDim(), mixed), positions);
    }

    /// Shown without its bias too, where it has one.
    private float[] projected(int layer, Operator unbiased, Operator operator, Linear linear, float[] x, int positions) {
        float[] sums = linear.sums(x, positions, arithmetic);
        if (linear.bias().isPresent()) {
            seen(layer, unbiased, linear.weight().rows(), Linear.unbiased(sums));
        }
        return seen(layer, operator, linear.weight().rows(), linear.finish(sums));
    }

    private float[] linear(int layer, Operator operator, Linear linear, float[] x, int positions) {
        return seen(layer, operator, linear.weight().rows(), linear.apply(x, positions, arithmetic));
    }

    private float[] seen(int layer, Operator operator, int width, float[] values) {
        observer.observe(layer, operator, position, width, values);
        return values;
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
            throw NpuflowException.badInput("NPF-163", "position (%d)".formatted(position + tokens.length - 1),
                    "at most %d positions, as config.json says".formatted(config.maximumPositions()), "a shorter prompt or fewer tokens");
        }
    }
}
