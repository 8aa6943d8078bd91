package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/// Fetches weights by their Hugging Face names and holds each to the shape that the configuration says, as opening the model did. Matrices stay
/// mapped, vectors are copied.
record WeightReader(ModelConfig config, Weights weights) {

    private static final ValueLayout.OfShort BFLOAT16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    LayerWeights layer(int index) {
        String prefix = "model.layers." + index + ".";
        String attention = prefix + "self_attn.";
        int hidden = config.hiddenSize();
        return new LayerWeights(
                norm(prefix + "input_layernorm", hidden),
                linear(attention + "q_proj", config.queryDim(), hidden, config.queryKeyValueBias()),
                linear(attention + "k_proj", config.keyValueDim(), hidden, config.queryKeyValueBias()),
                linear(attention + "v_proj", config.keyValueDim(), hidden, config.queryKeyValueBias()),
                config.queryKeyNorm() ? Optional.of(norm(attention + "q_norm", config.headDim())) : Optional.empty(),
                config.queryKeyNorm() ? Optional.of(norm(attention + "k_norm", config.headDim())) : Optional.empty(),
                linear(attention + "o_proj", hidden, config.queryDim(), config.outputBias()),
                norm(prefix + "post_attention_layernorm", hidden),
                linear(prefix + "mlp.gate_proj", config.intermediateSize(), hidden, false),
                linear(prefix + "mlp.up_proj", config.intermediateSize(), hidden, false),
                linear(prefix + "mlp.down_proj", hidden, config.intermediateSize(), false));
    }

    Tensor embedding() {
        return tensor("model.embed_tokens.weight", config.vocabSize(), config.hiddenSize());
    }

    RmsNorm finalNorm() {
        return norm("model.norm", config.hiddenSize());
    }

    Linear head() {
        return linear("lm_head", config.vocabSize(), config.hiddenSize(), false);
    }

    /// One row of a matrix, exact.
    static float[] row(Tensor tensor, int row) {
        float[] values = new float[tensor.columns()];
        long first = 2L * row * tensor.columns();
        for (int i = 0; i < values.length; i++) {
            values[i] = Bfloat16.value(tensor.data().get(BFLOAT16, first + 2L * i));
        }
        return values;
    }

    private RmsNorm norm(String name, int width) {
        return new RmsNorm(row(tensor(name + ".weight", 1, width), 0), config.rmsNormEpsilon());
    }

    private Linear linear(String name, int rows, int columns, boolean bias) {
        return new Linear(tensor(name + ".weight", rows, columns), bias ? Optional.of(row(tensor(name + ".bias", 1, rows), 0)) : Optional.empty());
    }

    private Tensor tensor(String name, int rows, int columns) {
        Tensor tensor = weights.tensor(name);
        if (tensor.rows() != rows || tensor.columns() != columns || tensor.data().byteSize() != 2L * rows * columns) {
            throw new IllegalStateException("tensor %s is %d × %d, its configuration says %d × %d".formatted(name, tensor.rows(), tensor.columns(),
                    rows, columns));
        }
        return tensor;
    }
}
