package dev.npuflow.workflow.model;

import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Weight;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Every tensor that a configuration calls for, with its shape: (out, in) of a matrix, (n) of a vector. A tied head has no tensor of its own.
public final class TensorShapes {

    public static final String EMBEDDING = ModelEnds.EMBEDDING.tensor();
    public static final String HEAD = ModelEnds.HEAD.tensor();
    public static final String FINAL_NORM = ModelEnds.FINAL_NORM.weight().tensor();

    private TensorShapes() {}

    public static SequencedMap<String, List<Long>> of(ModelConfig config) {
        SequencedMap<String, List<Long>> shapes = new LinkedHashMap<>();
        put(shapes, ModelEnds.EMBEDDING, config);
        for (int layer = 0; layer < config.layers(); layer++) {
            for (Weight weight : config.block().weights()) {
                shapes.put(weight.in(layer), weight.shape(config.dimensions()));
            }
        }
        put(shapes, ModelEnds.FINAL_NORM.weight(), config);
        if (!config.tiedHead()) {
            put(shapes, ModelEnds.HEAD, config);
        }
        return Collections.unmodifiableSequencedMap(shapes);
    }

    /// How many numbers they hold: the model's parameters.
    public static long elements(ModelConfig config) {
        return of(config).values().stream().mapToLong(shape -> shape.stream().reduce(1L, Math::multiplyExact)).sum();
    }

    private static void put(SequencedMap<String, List<Long>> shapes, Weight weight, ModelConfig config) {
        shapes.put(weight.tensor(), weight.shape(config.dimensions()));
    }
}
