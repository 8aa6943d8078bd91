package dev.npuflow.skill.testkit;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.model.Architecture;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Rope;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Tokenizer;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// [TinyModel] with weights: deterministic, drawn for each tensor from a generator that its name seeds. Norms are 1, but for
/// those of heads. The LM head is a tensor of its own, so that a token does not simply predict itself.
final class TinyLanguageModel implements LanguageModel, Weights {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int POSITIONS = 256;
    private static final double ROPE_THETA = 10000;
    /// Deviation of queries and keys: attention is sharp, so that wrong ones change tokens.
    private static final double SHARP = 2;

    private final ModelShape shape;
    private final ModelConfig config;
    private final Arena arena = Arena.ofShared();
    private final Map<String, Tensor> tensors = new HashMap<>();

    TinyLanguageModel(ModelShape shape) {
        this.shape = shape;
        this.config = config(shape);
        int hidden = shape.hiddenSize();
        random("model.embed_tokens.weight", shape.vocabSize(), hidden, 1);
        for (int layer = 0; layer < shape.layers(); layer++) {
            String prefix = "model.layers.%d.".formatted(layer);
            ones(prefix + "input_layernorm.weight", hidden);
            attentionInput(prefix + "self_attn.q_proj", shape.queryDim(), SHARP);
            attentionInput(prefix + "self_attn.k_proj", shape.keyValueDim(), SHARP);
            attentionInput(prefix + "self_attn.v_proj", shape.keyValueDim(), 1);
            if (shape.queryKeyNorm()) {
                random(prefix + "self_attn.q_norm.weight", 1, shape.headDim(), SHARP);
                random(prefix + "self_attn.k_norm.weight", 1, shape.headDim(), SHARP);
            }
            projection(prefix + "self_attn.o_proj.weight", hidden, shape.queryDim());
            if (shape.outputBias()) {
                random(prefix + "self_attn.o_proj.bias", 1, hidden, 1);
            }
            ones(prefix + "post_attention_layernorm.weight", hidden);
            projection(prefix + "mlp.gate_proj.weight", shape.intermediateSize(), hidden);
            projection(prefix + "mlp.up_proj.weight", shape.intermediateSize(), hidden);
            projection(prefix + "mlp.down_proj.weight", hidden, shape.intermediateSize());
        }
        ones("model.norm.weight", hidden);
        projection("lm_head.weight", shape.vocabSize(), hidden);
    }

    private void attentionInput(String name, int rows, double deviation) {
        random(name + ".weight", rows, shape.hiddenSize(), deviation / Math.sqrt(shape.hiddenSize()));
        if (shape.queryKeyValueBias()) {
            random(name + ".bias", 1, rows, deviation);
        }
    }

    /// Of unit variance for inputs of unit variance.
    private void projection(String name, int rows, int columns) {
        random(name, rows, columns, 1 / Math.sqrt(columns));
    }

    private void random(String name, int rows, int columns, double deviation) {
        RandomGenerator generator = RandomGeneratorFactory.of("L64X128MixRandom").create(name.hashCode());
        MemorySegment data = arena.allocate(2L * rows * columns, 64);
        for (long i = 0; i < (long) rows * columns; i++) {
            data.setAtIndex(BF16, i, truncated((float) (generator.nextGaussian() * deviation)));
        }
        tensors.put(name, new Tensor(name, rows, columns, data.asReadOnly()));
    }

    private void ones(String name, int columns) {
        MemorySegment data = arena.allocate(2L * columns, 64);
        for (long i = 0; i < columns; i++) {
            data.setAtIndex(BF16, i, truncated(1));
        }
        tensors.put(name, new Tensor(name, 1, columns, data.asReadOnly()));
    }

    private static short truncated(float value) {
        return (short) (Float.floatToRawIntBits(value) >>> 16);
    }

    @Override public Tensor tensor(String name) {
        return Optional.ofNullable(tensors.get(name)).orElseThrow(() -> new IllegalArgumentException("tiny model without tensor " + name));
    }

    @Override public ModelConfig config() {
        return config;
    }

    private static ModelConfig config(ModelShape shape) {
        int half = shape.headDim() / 2;
        float[] frequencies = new float[half];
        for (int i = 0; i < half; i++) {
            frequencies[i] = (float) Math.pow(ROPE_THETA, -(double) i / half);
        }
        return new ModelConfig(architecture(shape), shape.layers(), shape.hiddenSize(), shape.intermediateSize(), shape.heads(),
                shape.keyValueHeads(), shape.headDim(), shape.vocabSize(), shape.tiedHead(), shape.queryKeyValueBias(), shape.outputBias(),
                shape.queryKeyNorm(), (float) shape.rmsNormEpsilon(), POSITIONS, new Rope(shape.headDim(), ROPE_THETA, frequencies, 1), List.of(), OptionalInt.empty());
    }

    private static Architecture architecture(ModelShape shape) {
        return shape.queryKeyNorm() ? Architecture.QWEN3 : shape.queryKeyValueBias() && !shape.outputBias() ? Architecture.QWEN2 : Architecture.LLAMA;
    }

    @Override public String name() {
        return shape.name();
    }

    @Override public Path directory() {
        return Path.of(shape.name());
    }

    @Override public Weights weights() {
        return this;
    }

    @Override public Optional<Tokenizer> tokenizer() {
        return Optional.empty();
    }

    @Override public WeightOrigin weightOrigin() {
        return WeightOrigin.SYNTHETIC;
    }

    @Override public String fingerprint() {
        return CanonicalJson.hash(shape);
    }

    @Override public void close() {
        arena.close();
    }
}
