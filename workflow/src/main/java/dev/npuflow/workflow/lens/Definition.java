package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Operator.GatedProduct;
import dev.npuflow.workflow.block.Operator.Norm;
import dev.npuflow.workflow.block.Operator.Projection;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.block.Weight;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.reference.IntermediateObserver;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What every value of a model is made from: the model's definition, not a plan's.
record Definition(int layers, Block block) {

    static Definition of(ModelConfig config) {
        return new Definition(config.layers(), config.block());
    }

    /// What makes a value; empty for the embedding.
    Optional<Operator> maker(Key key) {
        return key.layer() >= 0 ? Optional.of(block.maker(key.value()))
                : ModelEnds.OPERATORS.stream().filter(operator -> operator.output().equals(key.value())).findFirst();
    }

    /// The values that `key` is made from. Where there are two the kernel's ports stand in this order, or in any order where it adds.
    List<Key> sources(Key key) {
        return maker(key).stream().flatMap(operator -> operator.inputs().stream()).map(value -> source(key.layer(), value)).toList();
    }

    /// A value as an operator in `layer` reads it: the residual stream is the one that the layer before left.
    Key source(int layer, Value value) {
        if (!value.equals(ModelEnds.STREAM)) {
            return new Key(layer, value);
        }
        return new Key(layer == IntermediateObserver.NO_LAYER ? layers - 1 : layer - 1, value);
    }

    /// The weight that `key` is multiplied by or that is added to it, by its Hugging Face name.
    Optional<String> weight(Key key) {
        return maker(key).flatMap(Operator::parameter).map(weight -> weight.in(key.layer()));
    }

    /// What `key` is before its bias; `key` itself where it has none.
    Key beforeBias(Key key) {
        return key.layer() < 0 ? key : new Key(key.layer(), block.beforeBias(key.value()));
    }

    boolean isBiasOf(Value biased, Value unbiased) {
        return !biased.equals(unbiased) && block.operators().stream()
                .anyMatch(operator -> operator instanceof Operator.Bias bias && bias.output().equals(biased) && bias.in().equals(unbiased));
    }

    /// Whether the two are what one gated product reads.
    boolean areGateAndUp(Value one, Value other) {
        return gatedProducts().stream().anyMatch(product -> Set.of(product.gate(), product.up()).equals(Set.copyOf(List.of(one, other))));
    }

    /// The same of their weights, whatever layer they are of.
    boolean areGateAndUp(String oneTensor, String otherTensor) {
        Set<String> asked = Set.copyOf(List.of(Weight.inAnyLayer(oneTensor), Weight.inAnyLayer(otherTensor)));
        return gatedProducts().stream().anyMatch(product -> Set.of(block.projection(product.gate()).weight().tensor(),
                block.projection(product.up()).weight().tensor()).equals(asked));
    }

    private List<GatedProduct> gatedProducts() {
        return block.operators().stream().filter(GatedProduct.class::isInstance).map(GatedProduct.class::cast).toList();
    }

    /// What a kernel computes that makes a gated product out of what its gate and up projections multiply.
    record Gating(Optional<Norm> norm, Projection gate, Projection up, GatedProduct product) {}

    Gating gating(GatedProduct product) {
        Projection gate = block.projection(product.gate());
        Optional<Norm> norm = gate.in().equals(ModelEnds.STREAM) ? Optional.empty()
                : Optional.of(block.maker(gate.in())).filter(Norm.class::isInstance).map(Norm.class::cast);
        return new Gating(norm, gate, block.projection(product.up()), product);
    }
}
