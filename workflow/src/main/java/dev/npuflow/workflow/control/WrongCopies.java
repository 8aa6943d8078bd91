package dev.npuflow.workflow.control;

import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.block.Weight;
import dev.npuflow.workflow.control.Matrix.Change;
import dev.npuflow.workflow.model.InverseFrequencies;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Rope;
import dev.npuflow.workflow.model.RopeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Copies of a model that are wrong in one thing, as converters, quantizers and loaders make them. Which tensor is which is the block's word, so that a family
/// of any names is covered.
final class WrongCopies {

    private final ModelConfig config;
    private final Block block;
    private final List<Control> controls = new ArrayList<>();

    private WrongCopies(ModelConfig config) {
        this.config = config;
        this.block = config.block();
    }

    static List<Control> of(ModelConfig config) {
        WrongCopies copies = new WrongCopies(config);
        copies.heads();
        copies.scales();
        copies.norms();
        copies.vectors();
        copies.order();
        copies.layers();
        copies.numberFormats();
        copies.fields();
        return List.copyOf(copies.controls);
    }

    private void heads() {
        Weight output = reader(block.attention().output()).weight();
        for (int layer : someLayers()) {
            for (int head : Stream.of(0, config.heads() - 1).distinct().toList()) {
                weight("a head dropped", "layer %d, head %d".formatted(layer, head), output.in(layer),
                        matrix -> matrix.clearColumns(head * config.headDim(), config.headDim()));
            }
        }
        if (config.heads() > 1) {
            weight("two heads exchanged", "layer 0", output.in(0),
                    matrix -> matrix.swapColumns(0, (config.heads() - 1) * config.headDim(), config.headDim()));
        }
    }

    private void scales() {
        Weight key = scaleOf(block.attention().key());
        Weight query = scaleOf(block.attention().query());
        for (int layer : someLayers()) {
            weight("a value scaled", "K × 2, layer %d".formatted(layer), key.in(layer), matrix -> matrix.scale(2));
        }
        weight("a value scaled", "Q × 0.5, layer 0", query.in(0), matrix -> matrix.scale(0.5f));
        weight("a value scaled", "attention × 1.5, layer 0", scaleOfAttention().in(0), matrix -> matrix.scale(1.5f));
        weight("a value scaled", "K × 1.02, layer 0", key.in(0), matrix -> matrix.scale(1.02f));
        everyLayer("a value scaled", "Q × √2, all layers", query, matrix -> matrix.scale((float) Math.sqrt(2)));
        weight("the head scaled", "× 1.1", config.tiedHead() ? ModelEnds.FINAL_NORM.weight().tensor() : ModelEnds.HEAD.tensor(), matrix -> matrix.scale(1.1f));
    }

    private void norms() {
        for (Operator.Norm norm : normsOfALayer()) {
            for (int layer : someLayers()) {
                weight("a norm of ones", "%s, layer %d".formatted(norm.name(), layer), norm.weight().in(layer), matrix -> matrix.fill(1));
            }
        }
        weight("a norm of ones", "the last", ModelEnds.FINAL_NORM.weight().tensor(), matrix -> matrix.fill(1));
    }

    private void vectors() {
        for (Operator.Bias bias : biases()) {
            everyLayer("a bias left out", bias.name(), bias.weight(), matrix -> matrix.fill(0));
        }
    }

    private void order() {
        for (int layer : someLayers()) {
            weight("rows exchanged", "Q, layer %d".formatted(layer), query().in(layer), matrix -> matrix.swapRows(0, config.headDim() / 2));
        }
        weight("rows exchanged", "down, layer 0", down().in(0), matrix -> matrix.swapRows(0, matrix.rows - 1));
        weight("rows exchanged", "Q in pairs, as interleaved RoPE has it, layer 0", query().in(0), this::interleave);
        everyLayer("rows exchanged", "Q and K in pairs, all layers", List.of(query(), key()), this::interleave);
        if (config.queryDim() == config.hiddenSize()) {
            weight("a matrix transposed", "Q, layer 0", query().in(0), Matrix::transpose);
            weight("a matrix transposed", "O, layer 0", reader(block.attention().output()).weight().in(0), Matrix::transpose);
        }
        exchanged("two projections exchanged", "K and V, layer 0", key().in(0), value().in(0));
        exchanged("two projections exchanged", "gate and up, layer 0", gate().in(0), up().in(0));
        weight("rows exchanged", "two ids of the vocabulary", ModelEnds.EMBEDDING.tensor(), matrix -> matrix.swapRows(0, matrix.rows / 2));
    }

    private void layers() {
        List<Weight> branchEnds = List.of(reader(block.attention().output()).weight(), down());
        for (int layer : someLayers()) {
            model("a layer left out", "layer " + layer, config, name -> branchEnds.stream().anyMatch(end -> end.in(layer).equals(name))
                    ? Optional.of(matrix -> matrix.fill(0)) : Optional.empty(), UnaryOperator.identity());
        }
        if (config.layers() > 1) {
            for (Weight weight : List.of(query(), value(), down())) {
                sources("the weight of another layer", "%s of layer 0 in layer 1".formatted(weight.tensor().replace(Weight.LAYER, "")), Map.of(weight.in(1), weight.in(0)));
            }
            int last = config.layers() - 1;
            sources("two layers exchanged", "%d and %d".formatted(last - 1, last), exchangedLayers(last - 1, last));
        }
    }

    private Map<String, String> exchangedLayers(int one, int other) {
        Map<String, String> names = new TreeMap<>();
        block.weights().forEach(weight -> {
            names.put(weight.in(one), weight.in(other));
            names.put(weight.in(other), weight.in(one));
        });
        return names;
    }

    private void numberFormats() {
        matrices("int4, a scale a row", matrix -> matrix.quantize(4, matrix.columns));
        matrices("int4, a scale for 32", matrix -> matrix.quantize(4, 32));
        matrices("int8, a scale a row", matrix -> matrix.quantize(8, matrix.columns));
        matrices("3 bits of mantissa, as fp8 e4m3", matrix -> matrix.keepMantissa(3));
        matrices("2 bits of mantissa, as fp8 e5m2", matrix -> matrix.keepMantissa(2));
        matrices("noise of 5 %", matrix -> matrix.disturb(0.05, 1));
        matrices("noise of 1 %", matrix -> matrix.disturb(0.01, 2));
        for (int layer : someLayers()) {
            model("another number format", "int4, a scale a row, layer %d".formatted(layer), config, name -> isMatrixOf(layer, name)
                    ? Optional.of(matrix -> matrix.quantize(4, matrix.columns)) : Optional.empty(), UnaryOperator.identity());
        }
    }

    private void fields() {
        field("epsilon", "0 for %s".formatted(config.rmsNormEpsilon()), config.withEpsilon(0));
        field("epsilon", "1e-3 for %s".formatted(config.rmsNormEpsilon()), config.withEpsilon(1e-3f));
        field("rope base", "a tenth of θ", rope(pair -> StrictMath.pow(10, 2.0 * pair / config.rope().rotaryDim())));
        field("rope base", "θ × 0.98", rope(pair -> StrictMath.pow(1 / 0.98, 2.0 * pair / config.rope().rotaryDim())));
        int half = config.rope().rotaryDim() / 4;
        field("rope scaling", "factor × 2", rope(pair -> pair >= half ? 0.5 : 1));
        field("rope scaling", "factor × 8", rope(pair -> pair >= half ? 0.125 : 1));
        field("rope scaling", "linear, factor 2", rope(_ -> 0.5));
    }

    private ModelConfig rope(IntToDoubleFunction factor) {
        float[] right = config.rope().inverseFrequencies(1);
        float[] wrong = new float[right.length];
        for (int pair = 0; pair < right.length; pair++) {
            wrong[pair] = (float) (right[pair] * factor.applyAsDouble(pair));
        }
        Rope rope = config.rope();
        return config.withRope(new Rope(RopeType.DEFAULT, rope.rotaryDim(), rope.theta(), new InverseFrequencies.Fixed(wrong), rope.attentionFactor()));
    }

    /// Rows of each head from halves to pairs: 0, h/2, 1, h/2 + 1, …
    private void interleave(Matrix matrix) {
        float[][] head = new float[config.headDim()][matrix.columns];
        for (int first = 0; first < matrix.rows; first += config.headDim()) {
            for (int row = 0; row < head.length; row++) {
                for (int column = 0; column < matrix.columns; column++) {
                    head[row][column] = matrix.get(first + row, column);
                }
            }
            for (int row = 0; row < head.length; row++) {
                float[] from = head[row % 2 * (head.length / 2) + row / 2];
                for (int column = 0; column < matrix.columns; column++) {
                    matrix.set(first + row, column, from[column]);
                }
            }
        }
    }

    /// First, middle and last.
    private List<Integer> someLayers() {
        return Stream.of(0, config.layers() / 2, config.layers() - 1).distinct().toList();
    }

    private Weight query() {
        return behind(block.attention().query());
    }

    private Weight key() {
        return behind(block.attention().key());
    }

    private Weight value() {
        return behind(block.attention().value());
    }

    private Weight gate() {
        return behind(product().gate());
    }

    private Weight up() {
        return behind(product().up());
    }

    private Weight down() {
        return reader(product().output()).weight();
    }

    private Operator.GatedProduct product() {
        return block.operators().stream().filter(Operator.GatedProduct.class::isInstance).map(Operator.GatedProduct.class::cast).findFirst().orElseThrow();
    }

    /// The projection that a value goes back to, through norms, rotations and biases.
    private Weight behind(Value value) {
        Operator maker = block.maker(value);
        return maker instanceof Operator.Projection projection ? projection.weight() : behind(maker.inputs().getFirst());
    }

    /// What a value's scale comes from: the last norm before it, for a norm takes back what is before itself; else its projection.
    private Weight scaleOf(Value value) {
        Operator maker = block.maker(value);
        return switch (maker) {
            case Operator.Norm norm -> norm.weight();
            case Operator.Projection projection -> projection.weight();
            case Operator.Rotation _, Operator.Bias _, Operator.Attention _, Operator.GatedProduct _, Operator.Sum _ -> scaleOf(maker.inputs().getFirst());
        };
    }

    /// The same of what attention adds to the residual stream: of a norm behind O, else of V.
    private Weight scaleOfAttention() {
        Operator.Projection output = reader(block.attention().output());
        Value branch = block.biasOf(output).map(Operator.Bias::output).orElse(output.output());
        return block.readers(branch).filter(Operator.Norm.class::isInstance).map(Operator.Norm.class::cast).map(Operator.Norm::weight).findFirst()
                .orElseGet(this::value);
    }

    private Operator.Projection reader(Value value) {
        return block.readers(value).filter(Operator.Projection.class::isInstance).map(Operator.Projection.class::cast).findFirst().orElseThrow();
    }

    private List<Operator.Norm> normsOfALayer() {
        return block.operators().stream().filter(Operator.Norm.class::isInstance).map(Operator.Norm.class::cast).toList();
    }

    private List<Operator.Bias> biases() {
        return block.operators().stream().filter(Operator.Bias.class::isInstance).map(Operator.Bias.class::cast).toList();
    }

    private boolean isMatrixOf(int layer, String name) {
        return block.weights().stream().anyMatch(weight -> !weight.isVector() && weight.in(layer).equals(name));
    }

    private void weight(String kind, String name, String tensor, Change change) {
        model(kind, name, config, held -> held.equals(tensor) ? Optional.of(change) : Optional.empty(), UnaryOperator.identity());
    }

    private void everyLayer(String kind, String name, Weight weight, Change change) {
        everyLayer(kind, name, List.of(weight), change);
    }

    private void everyLayer(String kind, String name, List<Weight> weights, Change change) {
        List<String> tensors = IntStream.range(0, config.layers()).boxed().flatMap(layer -> weights.stream().map(weight -> weight.in(layer))).toList();
        model(kind, name, config, held -> tensors.contains(held) ? Optional.of(change) : Optional.empty(), UnaryOperator.identity());
    }

    private void matrices(String name, Change change) {
        model("another number format", name, config, held -> IntStream.range(0, config.layers()).anyMatch(layer -> isMatrixOf(layer, held))
                ? Optional.of(change) : Optional.empty(), UnaryOperator.identity());
    }

    private void exchanged(String kind, String name, String one, String other) {
        sources(kind, name, Map.of(one, other, other, one));
    }

    private void sources(String kind, String name, Map<String, String> sources) {
        model(kind, name, config, _ -> Optional.empty(), held -> sources.getOrDefault(held, held));
    }

    private void field(String kind, String name, ModelConfig wrong) {
        model(kind, name, wrong, _ -> Optional.empty(), UnaryOperator.identity());
    }

    private void model(String kind, String name, ModelConfig wrong, Function<String, Optional<Change>> changes,
            UnaryOperator<String> sources) {
        controls.add(Control.wrongModel(kind, name, (LanguageModel right) -> new ChangedModel(right, kind + ", " + name, wrong, changes, sources)));
    }
}
