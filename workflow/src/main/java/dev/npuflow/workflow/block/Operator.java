package dev.npuflow.workflow.block;

import java.util.List;
import java.util.Optional;

/// One operator of a decoder layer: what it reads, what it makes, and the weight it does it with. How it is computed is the reference's, the host's and the
/// kernels' own matter.
public sealed interface Operator {

    /// As launches and calls are named after it.
    String name();

    /// In the order in which a kernel's ports take them.
    List<Value> inputs();

    Value output();

    /// The one tensor that it multiplies by or adds.
    default Optional<Weight> parameter() {
        return Optional.empty();
    }

    /// RMSNorm of every run of `weight` elements: of the whole row, or of each head of it.
    record Norm(String name, Value in, Weight weight, Value output) implements Operator {
        @Override public List<Value> inputs() {
            return List.of(in);
        }

        @Override public Optional<Weight> parameter() {
            return Optional.of(weight);
        }

        /// How many runs a row has.
        public int runs(Dimensions dimensions) {
            return dimensions.of(in) / dimensions.of(weight.columns());
        }
    }

    /// `weight` · `in`, without a bias.
    record Projection(String name, Value in, Weight weight, Value output) implements Operator {
        @Override public List<Value> inputs() {
            return List.of(in);
        }

        @Override public Optional<Weight> parameter() {
            return Optional.of(weight);
        }
    }

    /// What a projection made, plus its bias.
    record Bias(String name, Value in, Weight weight, Value output) implements Operator {
        @Override public List<Value> inputs() {
            return List.of(in);
        }

        @Override public Optional<Weight> parameter() {
            return Optional.of(weight);
        }
    }

    /// RoPE of each head, by the position.
    record Rotation(String name, Value in, Value output) implements Operator {
        @Override public List<Value> inputs() {
            return List.of(in);
        }
    }

    /// Causal attention over the KV cache, to which keys and values of this pass are added first.
    record Attention(String name, Value query, Value key, Value value, Value output) implements Operator {
        @Override public List<Value> inputs() {
            return List.of(query, key, value);
        }
    }

    /// SiLU(`gate`) · `up`.
    record GatedProduct(String name, Value gate, Value up, Value output) implements Operator {
        @Override public List<Value> inputs() {
            return List.of(gate, up);
        }
    }

    /// A branch's result added to what the branch began from.
    record Sum(String name, Value branch, Value skipped, Value output) implements Operator {
        @Override public List<Value> inputs() {
            return List.of(branch, skipped);
        }
    }
}
