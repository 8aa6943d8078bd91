package dev.npuflow.workflow.block;

import java.util.ArrayList;
import java.util.List;

/// Writes a layer down, one operator or one usual group of them a line. Methods give back the value that is made; tensors are named from the layer on, without
/// `.weight` or `.bias`.
public final class LayerDeclaration {

    private static final String ATTENTION = "self_attn.";

    private final Rounding rounding;
    private final List<Operator> operators = new ArrayList<>();

    public LayerDeclaration(Rounding rounding) {
        this.rounding = rounding;
    }

    /// What attention is made from, before any norm and rotation.
    public record QueryKeyValue(Value query, Value key, Value value) {}

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

    public Value sum(String name, Value branch, Value skipped, String output) {
        return add(new Operator.Sum(name, branch, skipped, new Value(output, skipped.width())));
    }

    /// Q, K and V of one input; biases come after all three, as upstream's ELFs have them.
    public QueryKeyValue queryKeyValue(Value in, boolean bias) {
        Value q = project("q", in, ATTENTION + "q_proj", Extent.QUERY, "q");
        Value k = project("k", in, ATTENTION + "k_proj", Extent.KEY_VALUE, "k");
        Value v = project("v", in, ATTENTION + "v_proj", Extent.KEY_VALUE, bias ? "v_unbiased" : "v");
        return !bias ? new QueryKeyValue(q, k, v) : new QueryKeyValue(bias("q_bias", q, ATTENTION + "q_proj", "q_biased"),
                bias("k_bias", k, ATTENTION + "k_proj", "k_biased"), bias("v_bias", v, ATTENTION + "v_proj", "v"));
    }

    /// Norms of queries and keys; values are not normed.
    ///
    /// @param query,key [Extent#HEAD], or the width of the whole
    public QueryKeyValue normed(QueryKeyValue in, Extent query, Extent key) {
        return new QueryKeyValue(norm("q_norm", in.query(), ATTENTION + "q_norm", query, "q_normed"),
                norm("k_norm", in.key(), ATTENTION + "k_norm", key, "k_normed"), in.value());
    }

    /// Rotates queries and keys, attends, and projects by O.
    ///
    /// @param bias whether O has one
    public Value attend(QueryKeyValue in, boolean bias) {
        Value query = add(new Operator.Rotation("rope_q", in.query(), new Value("q_roped", in.query().width())));
        Value key = add(new Operator.Rotation("rope_k", in.key(), new Value("k_roped", in.key().width())));
        Value attention = add(new Operator.Attention("attention", query, key, in.value(), new Value("attention", query.width())));
        Value o = project("o", attention, ATTENTION + "o_proj", Extent.HIDDEN, bias ? "o_unbiased" : "o");
        return bias ? bias("o_bias", o, ATTENTION + "o_proj", "o") : o;
    }

    /// Gate, up, SiLU(gate) · up, down.
    public Value feedForward(Value in) {
        Value gate = project("gate", in, "mlp.gate_proj", Extent.INTERMEDIATE, "gate");
        Value up = project("up", in, "mlp.up_proj", Extent.INTERMEDIATE, "up");
        Value product = add(new Operator.GatedProduct("silu_mul", gate, up, new Value("swiglu", Extent.INTERMEDIATE)));
        return project("down", product, "mlp.down_proj", Extent.HIDDEN, "down");
    }

    /// The layer whose last sum is the residual stream.
    public Block endingWith(String name, Value branch, Value skipped) {
        sum(name, branch, skipped, ModelEnds.STREAM.name());
        return new Block(operators, rounding);
    }

    private Value add(Operator operator) {
        operators.add(operator);
        return operator.output();
    }

    private static Weight vector(String tensor, Extent width) {
        return new Weight(Weight.LAYER + tensor, Extent.ONE, width);
    }
}
