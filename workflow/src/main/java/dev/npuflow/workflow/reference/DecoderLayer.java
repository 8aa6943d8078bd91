package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Dimensions;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/// One layer with its weights. Which operators there are, and what each reads, is the block's word; how each is computed is the reference's.
final class DecoderLayer {

    private final int index;
    private final Block block;
    private final Dimensions dimensions;
    private final RotaryEmbedding rope;
    private final Attention attention;
    private final KeyValueCache cache;
    private final Arithmetic arithmetic;
    private final IntermediateObserver observer;
    private final Optional<ExactObserver> exact;
    private final Map<String, RmsNorm> norms = new HashMap<>();
    private final Map<String, Linear> linears = new HashMap<>();

    DecoderLayer(int index, WeightReader weights, RotaryEmbedding rope, Arithmetic arithmetic, ReferenceOptions options) {
        this.index = index;
        this.block = weights.config().block();
        this.dimensions = weights.config().dimensions();
        this.rope = rope;
        this.attention = new Attention(dimensions.heads(), dimensions.keyValueHeads(), dimensions.headDim());
        this.cache = new KeyValueCache(dimensions.of(block.attention().key()));
        this.arithmetic = arithmetic;
        this.observer = options.observer();
        this.exact = options.exact();
        for (Operator operator : block.operators()) {
            switch (operator) {
                case Operator.Norm norm -> norms.put(norm.name(), weights.norm(norm.weight(), index));
                case Operator.Projection projection -> linears.put(projection.name(), weights.linear(projection, block.biasOf(projection), index));
                case Operator.Bias _, Operator.Rotation _, Operator.Attention _, Operator.GatedProduct _, Operator.Sum _ -> { }
            }
        }
    }

    /// @param x positions × hidden
    /// @return positions × hidden
    float[] apply(float[] x, int position, int positions) {
        Pass pass = new Pass(position, positions);
        pass.values.put(ModelEnds.STREAM, x);
        block.operators().forEach(pass::run);
        return pass.get(ModelEnds.STREAM);
    }

    /// The values of one pass, positions × width each.
    private final class Pass {

        private final int position;
        private final int positions;
        private final Map<Value, float[]> values = new HashMap<>();

        Pass(int position, int positions) {
            this.position = position;
            this.positions = positions;
        }

        void run(Operator operator) {
            switch (operator) {
                case Operator.Projection projection -> project(projection);
                case Operator.Bias _ -> { }
                case Operator.Attention mix -> {
                    cache.put(position, get(mix.key()), get(mix.value()));
                    put(mix, with -> attention.apply(get(mix.query()), cache, position, with));
                }
                case Operator.Norm norm -> put(norm, with -> Objects.requireNonNull(norms.get(norm.name())).apply(get(norm.in()), with.precision()));
                case Operator.Rotation rotation ->
                    put(rotation, with -> rope.apply(get(rotation.in()), position, positions, dimensions.headDim(), with.precision()));
                case Operator.GatedProduct product -> put(product, with -> Activations.siluTimes(get(product.gate()), get(product.up()), with));
                case Operator.Sum sum -> put(sum, with -> Activations.add(get(sum.skipped()), get(sum.branch()), with.precision()));
            }
        }

        /// A bias is added before the one rounding, so it is done here; shown without its bias too, where it has one.
        private void project(Operator.Projection projection) {
            Linear linear = Objects.requireNonNull(linears.get(projection.name()));
            float[] sums = linear.sums(get(projection.in()), positions, arithmetic);
            block.biasOf(projection).ifPresentOrElse(bias -> {
                put(projection.output(), with -> Linear.unbiased(sums, with.precision()));
                put(bias.output(), with -> linear.finish(sums, with.precision()));
            }, () -> put(projection.output(), with -> linear.finish(sums, with.precision())));
        }

        private float[] get(Value value) {
            return Objects.requireNonNull(values.get(value), value::name);
        }

        private void put(Operator operator, Function<Arithmetic, float[]> computation) {
            put(operator.output(), computation);
        }

        /// @param computation of the value, with the arithmetic that it is given
        private void put(Value value, Function<Arithmetic, float[]> computation) {
            float[] made = computation.apply(arithmetic);
            exact.ifPresent(watcher -> watcher.observe(index, value, made, computation.apply(arithmetic.exact())));
            observer.observe(index, value, position, dimensions.of(value), made);
            values.put(value, made);
        }
    }
}
