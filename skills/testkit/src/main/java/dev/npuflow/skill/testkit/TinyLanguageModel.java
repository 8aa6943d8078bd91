package dev.npuflow.skill.testkit;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.block.Dimensions;
import dev.npuflow.workflow.block.Extent;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.PreNorm;
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
import java.util.Set;
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
        Dimensions dimensions = config.dimensions();
        random(ModelEnds.EMBEDDING.tensor(), shape.vocabSize(), shape.hiddenSize(), 1);
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (Operator operator : config.block().operators()) {
                draw(operator, layer, dimensions);
            }
        }
        draw(ModelEnds.FINAL_NORM, 0, dimensions);
        draw(ModelEnds.HEAD_PROJECTION, 0, dimensions);
    }

    /// A projection makes values of unit variance of such; those of queries and keys are wider.
    private void draw(Operator operator, int layer, Dimensions dimensions) {
        double deviation = Set.of("q", "k", "q_bias", "k_bias").contains(operator.name()) ? SHARP : 1;
        switch (operator) {
            case Operator.Norm norm when norm.in().width() == Extent.HIDDEN -> ones(norm.weight().in(layer), dimensions.of(norm.weight().columns()));
            case Operator.Norm norm -> random(norm.weight().in(layer), 1, dimensions.of(norm.weight().columns()), SHARP);
            case Operator.Projection projection -> random(projection.weight().in(layer), dimensions.of(projection.output()), dimensions.of(projection.in()),
                    deviation / Math.sqrt(dimensions.of(projection.in())));
            case Operator.Bias bias -> random(bias.weight().in(layer), 1, dimensions.of(bias.in()), deviation);
            case Operator.Rotation _, Operator.Attention _, Operator.GatedProduct _, Operator.Sum _ -> { }
        }
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
                shape.keyValueHeads(), shape.headDim(), shape.vocabSize(), shape.tiedHead(), PreNorm.of(shape), (float) shape.rmsNormEpsilon(), POSITIONS, new Rope(shape.headDim(), ROPE_THETA, frequencies, 1), List.of(), OptionalInt.empty());
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
