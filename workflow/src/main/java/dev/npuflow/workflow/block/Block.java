package dev.npuflow.workflow.block;

import dev.npuflow.workflow.block.Operator.Attention;
import dev.npuflow.workflow.block.Operator.Bias;
import dev.npuflow.workflow.block.Operator.Norm;
import dev.npuflow.workflow.block.Operator.Projection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A decoder layer: its operators in the order they run. Every value is made once and read behind that; the layer begins and ends with the residual stream.
///
/// @param rounding of every norm and rotation, the model's last norm among them
public record Block(List<Operator> operators, Rounding rounding) {

    /// @throws IllegalArgumentException for operators that are no layer: a value that nobody made, two of one name, no attention, another end than the stream
    public Block {
        operators = List.copyOf(operators);
        Set<Value> known = new LinkedHashSet<>(Set.of(ModelEnds.STREAM));
        Set<String> names = new LinkedHashSet<>();
        for (Operator operator : operators) {
            require(known.containsAll(operator.inputs()), operator, "reads a value that nobody made");
            require(names.add(operator.name()), operator, "has a name that is taken");
            require(known.add(operator.output()) || operator == operators.getLast(), operator, "makes a value that is there already");
        }
        if (operators.isEmpty() || !operators.getLast().output().equals(ModelEnds.STREAM)) {
            throw new IllegalArgumentException("the layer does not end with %s".formatted(ModelEnds.STREAM.name()));
        }
        if (operators.stream().filter(Attention.class::isInstance).count() != 1) {
            throw new IllegalArgumentException("the layer does not attend once");
        }
    }

    private static void require(boolean holds, Operator operator, String fault) {
        if (!holds) {
            throw new IllegalArgumentException("%s %s".formatted(operator.name(), fault));
        }
    }

    public Attention attention() {
        return operators.stream().filter(Attention.class::isInstance).map(Attention.class::cast).findFirst().orElseThrow();
    }

    public List<Operator> beforeAttention() {
        return operators.subList(0, operators.indexOf(attention()));
    }

    public List<Operator> afterAttention() {
        return operators.subList(operators.indexOf(attention()) + 1, operators.size());
    }

    /// What makes a value; of the residual stream, the layer's last operator.
    public Operator maker(Value value) {
        return operators.stream().filter(operator -> operator.output().equals(value)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nobody makes %s".formatted(value.name())));
    }

    public Stream<Operator> readers(Value value) {
        return operators.stream().filter(operator -> operator.inputs().contains(value));
    }

    /// A value by its name.
    public Optional<Value> value(String name) {
        return operators.stream().map(Operator::output).filter(value -> value.name().equals(name)).findFirst();
    }

    /// The bias that is added to what a projection makes.
    public Optional<Bias> biasOf(Projection projection) {
        return readers(projection.output()).filter(Bias.class::isInstance).map(Bias.class::cast).findFirst();
    }

    /// A projection, and its bias if it has one.
    public List<Operator> withBias(Projection projection) {
        return Stream.<Operator>concat(Stream.of(projection), biasOf(projection).stream()).toList();
    }

    /// The projection that makes a value, whether or not a bias is added to it.
    ///
    /// @throws IllegalArgumentException if something else makes it
    public Projection projection(Value value) {
        return switch (maker(beforeBias(value))) {
            case Projection projection -> projection;
            case Operator other -> throw new IllegalArgumentException("%s makes %s".formatted(other.name(), value.name()));
        };
    }

    /// What a value was before its bias; the value itself where it has none.
    public Value beforeBias(Value value) {
        return maker(value) instanceof Bias bias ? bias.in() : value;
    }

    /// Every tensor of a layer, in the order of the operators, a bias right behind its weight.
    public List<Weight> weights() {
        Map<String, List<Weight>> modules = new LinkedHashMap<>();
        operators.stream().flatMap(operator -> operator.parameter().stream())
                .forEach(weight -> modules.computeIfAbsent(weight.module(), _ -> new ArrayList<>()).add(weight));
        return modules.values().stream().flatMap(List::stream).toList();
    }

    /// A tensor's declaration by its name, as [Weight#tensor] has it.
    public Optional<Weight> weight(String tensor) {
        return weights().stream().filter(weight -> weight.tensor().equals(tensor)).findFirst();
    }

    /// Whether Q, K and V have a bias.
    public boolean hasInputBias() {
        return beforeAttention().stream().anyMatch(Bias.class::isInstance);
    }

    /// Whether O has a bias.
    public boolean hasOutputBias() {
        return readers(attention().output()).anyMatch(operator -> operator instanceof Projection projection && biasOf(projection).isPresent());
    }

    /// Whether Q and K are normed, head by head or whole.
    public boolean normsQueriesAndKeys() {
        return norms().anyMatch(norm -> norm.in().width() == Extent.QUERY || norm.in().width() == Extent.KEY_VALUE);
    }

    /// Whether Q and K are normed, head by head.
    public boolean normsHeads() {
        return norms().anyMatch(norm -> norm.weight().columns() == Extent.HEAD);
    }

    /// Whether a norm takes the mean over all of such a width, not head by head.
    public boolean normsWhole(Extent width) {
        return norms().anyMatch(norm -> norm.weight().columns() == width);
    }

    /// Whether attention reads what a norm made of the residual stream.
    public boolean normsBeforeAttention() {
        return readers(ModelEnds.STREAM).findFirst().filter(Norm.class::isInstance).isPresent();
    }

    private Stream<Norm> norms() {
        return operators.stream().filter(Norm.class::isInstance).map(Norm.class::cast);
    }
}
