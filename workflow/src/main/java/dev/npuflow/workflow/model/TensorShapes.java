package dev.npuflow.workflow.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Every tensor that a configuration calls for, with its shape: (out, in) of a matrix, (n) of a vector. A tied head has no tensor of its own.
public final class TensorShapes {

    public static final String EMBEDDING = "model.embed_tokens.weight";
    public static final String HEAD = "lm_head.weight";
    public static final String FINAL_NORM = "model.norm.weight";

    private TensorShapes() {}

    public static SequencedMap<String, List<Long>> of(ModelConfig config) {
        SequencedMap<String, List<Long>> shapes = new LinkedHashMap<>();
        long hidden = config.hiddenSize();
        shapes.put(EMBEDDING, List.of((long) config.vocabSize(), hidden));
        for (int layer = 0; layer < config.layers(); layer++) {
            addLayer(shapes, "model.layers.%d.".formatted(layer), config);
        }
        shapes.put(FINAL_NORM, List.of(hidden));
        if (!config.tiedHead()) {
            shapes.put(HEAD, List.of((long) config.vocabSize(), hidden));
        }
        return Collections.unmodifiableSequencedMap(shapes);
    }

    /// How many numbers they hold: the model's parameters.
    public static long elements(ModelConfig config) {
        return of(config).values().stream().mapToLong(shape -> shape.stream().reduce(1L, Math::multiplyExact)).sum();
    }

    private static void addLayer(SequencedMap<String, List<Long>> shapes, String layer, ModelConfig config) {
        long hidden = config.hiddenSize();
        long inner = config.intermediateSize();
        long query = config.queryDim();
        long keyValue = config.keyValueDim();
        shapes.put(layer + "input_layernorm.weight", List.of(hidden));
        addProjection(shapes, layer + "self_attn.q_proj", query, hidden, config.queryKeyValueBias());
        addProjection(shapes, layer + "self_attn.k_proj", keyValue, hidden, config.queryKeyValueBias());
        addProjection(shapes, layer + "self_attn.v_proj", keyValue, hidden, config.queryKeyValueBias());
        if (config.queryKeyNorm()) {
            shapes.put(layer + "self_attn.q_norm.weight", List.of((long) config.headDim()));
            shapes.put(layer + "self_attn.k_norm.weight", List.of((long) config.headDim()));
        }
        addProjection(shapes, layer + "self_attn.o_proj", hidden, query, config.outputBias());
        shapes.put(layer + "post_attention_layernorm.weight", List.of(hidden));
        shapes.put(layer + "mlp.gate_proj.weight", List.of(inner, hidden));
        shapes.put(layer + "mlp.up_proj.weight", List.of(inner, hidden));
        shapes.put(layer + "mlp.down_proj.weight", List.of(hidden, inner));
    }

    private static void addProjection(SequencedMap<String, List<Long>> shapes, String name, long rows, long columns, boolean bias) {
        shapes.put(name + ".weight", List.of(rows, columns));
        if (bias) {
            shapes.put(name + ".bias", List.of(rows));
        }
    }
}
