package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Weight;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/// Fetches weights that the block declares, and holds each to the shape that the configuration says, as opening the model did. Matrices stay
/// mapped, vectors are copied.
record WeightReader(ModelConfig config, Weights weights) {

    private static final ValueLayout.OfShort BFLOAT16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    Tensor embedding() {
        return tensor(ModelEnds.EMBEDDING, IntermediateObserver.NO_LAYER);
    }

    /// @param layer 0 …, or [IntermediateObserver#NO_LAYER] of a tensor that belongs to none
    RmsNorm norm(Weight weight, int layer) {
        return new RmsNorm(row(tensor(weight, layer), 0), config.rmsNormEpsilon(), config.block().rounding());
    }

    /// @param layer as in [#norm]
    Linear linear(Operator.Projection projection, Optional<Operator.Bias> bias, int layer) {
        return new Linear(tensor(projection.weight(), layer), bias.map(added -> row(tensor(added.weight(), layer), 0)));
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

    private Tensor tensor(Weight weight, int layer) {
        String name = weight.in(layer);
        int rows = config.dimensions().of(weight.rows());
        int columns = config.dimensions().of(weight.columns());
        Tensor tensor = weights.tensor(name);
        if (tensor.rows() != rows || tensor.columns() != columns || tensor.data().byteSize() != 2L * rows * columns) {
            throw new IllegalStateException("tensor %s is %d × %d, its configuration says %d × %d".formatted(name, tensor.rows(), tensor.columns(),
                    rows, columns));
        }
        return tensor;
    }
}
