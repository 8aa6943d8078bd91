package dev.npuflow.workflow.block;

import java.util.ArrayList;
import java.util.List;

/// Writes a layer down, one operator a line. Each method gives back the value that its operator makes; tensors are named from the layer on, without `.weight` or
/// `.bias`.
public final class LayerDeclaration {

    private final List<Operator> operators = new ArrayList<>();

    /// What the layer reads.
    public Value stream() {
        return ModelEnds.STREAM;
    }

    public Value norm(String name, Value in, String module, Extent width, String output) {
        return add(new Operator.Norm(name, in, vector(module + ".weight", width), new Value(output, in.width())));
    }

    public Value project(String name, Value in, String module, Extent width, String output) {
        return add(new Operator.Projection(name, in, new Weight(Weight.LAYER + module + ".weight", width, in.width()), new Value(output, width)));
    }

    public Value bias(String name, Value in, String module, String output) {
        return add(new Operator.Bias(name, in, vector(module + ".bias", in.width()), new Value(output, in.width())));
    }

    public Value rotate(String name, Value in, String output) {
        return add(new Operator.Rotation(name, in, new Value(output, in.width())));
    }

    public Value attend(Value query, Value key, Value value) {
        return add(new Operator.Attention("attention", query, key, value, new Value("attention", query.width())));
    }

    public Value gatedProduct(String name, Value gate, Value up, String output) {
        return add(new Operator.GatedProduct(name, gate, up, new Value(output, gate.width())));
    }

    public Value sum(String name, Value branch, Value skipped, String output) {
        return add(new Operator.Sum(name, branch, skipped, new Value(output, skipped.width())));
    }

    /// The layer whose last sum is the residual stream.
    public Block endingWith(String name, Value branch, Value skipped) {
        sum(name, branch, skipped, ModelEnds.STREAM.name());
        return new Block(operators);
    }

    private Value add(Operator operator) {
        operators.add(operator);
        return operator.output();
    }

    private static Weight vector(String tensor, Extent width) {
        return new Weight(Weight.LAYER + tensor, Extent.ONE, width);
    }
}
