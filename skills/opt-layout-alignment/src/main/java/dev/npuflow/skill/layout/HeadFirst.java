package dev.npuflow.skill.layout;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// A step that takes and gives values heads first, and could do so positions first.
sealed interface HeadFirst {

    Step step();

    /// Values that it reads.
    Collection<String> inputs();

    /// Values that it makes.
    Collection<String> outputs();

    /// The step with other values, all of them positions first.
    Step seqFirst(Map<String, String> renamed);

    static Optional<HeadFirst> of(Step step) {
        return switch (step) {
            case HostOp op when "head_first".equals(op.options().get("layout")) -> Optional.of(new OnTheHost(op));
            case NpuCall call when call.launches().size() == 1 && call.launches().getFirst().shape().containsKey(OnTheNpu.FLAG)
                    && call.arguments().stream().allMatch(argument -> argument.source() instanceof Source.Activation) -> Optional.of(new OnTheNpu(call));
            case HostOp _, NpuCall _ -> Optional.empty();
        };
    }

    /// Option `layout` of a host operation.
    record OnTheHost(HostOp step) implements HeadFirst {

        @Override public Collection<String> inputs() {
            return step.inputs().values();
        }

        @Override public Collection<String> outputs() {
            return step.outputs().values();
        }

        @Override public Step seqFirst(Map<String, String> renamed) {
            SortedMap<String, String> options = new TreeMap<>(step.options());
            options.put("layout", "seq_first");
            return new HostOp(step.name(), step.kind(), rewired(step.inputs(), renamed::get), rewired(step.outputs(), renamed::get), step.shape(), options);
        }
    }

    /// Extent `head_first` of a call's one launch; its arguments are (heads, positions, head_dim), and become (positions, heads · head_dim).
    record OnTheNpu(NpuCall step) implements HeadFirst {

        private static final String FLAG = "head_first";

        @Override public Collection<String> inputs() {
            return values(step.launches().getFirst().inputs());
        }

        @Override public Collection<String> outputs() {
            return values(step.launches().getFirst().outputs());
        }

        private List<String> values(SortedMap<String, Operand> ports) {
            return ports.values().stream().map(operand -> value(step.argument(operand.argument()))).toList();
        }

        private static String value(Argument argument) {
            return switch (argument.source()) {
                case Source.Activation activation -> activation.value();
                case Source.LookUpTable _, Source.Weight _, Source.InterleavedWeights _, Source.Packed _, Source.Scratch _ -> argument.name();
            };
        }

        @Override public Step seqFirst(Map<String, String> renamed) {
            Launch launch = step.launches().getFirst();
            SortedMap<String, Integer> shape = new TreeMap<>(launch.shape());
            shape.remove(FLAG);
            Function<Operand, Operand> other = operand -> operand.of(renamed.get(value(step.argument(operand.argument()))));
            Launch aligned = new Launch(launch.name(), launch.kernel(), launch.symbol(), shape, launch.constants(), launch.herd(), launch.tile(),
                    rewired(launch.inputs(), other), rewired(launch.outputs(), other));
            List<Argument> arguments = step.arguments().stream().map(argument -> aligned(argument, renamed.get(value(argument)))).toList();
            return new NpuCall(step.name(), List.of(aligned), arguments, step.bufferKey(), step.options());
        }

        private static Argument aligned(Argument argument, String value) {
            List<Integer> extents = argument.shape().size() == 3
                    ? List.of(argument.shape().get(1), argument.shape().get(0) * argument.shape().get(2)) : argument.shape();
            return new Argument(value, extents, argument.dataType(), new Source.Activation(value), argument.transfer(), argument.readBack());
        }
    }

    private static <T> SortedMap<String, T> rewired(SortedMap<String, T> ports, Function<T, T> change) {
        SortedMap<String, T> rewired = new TreeMap<>();
        ports.forEach((port, bound) -> rewired.put(port, change.apply(bound)));
        return rewired;
    }
}
