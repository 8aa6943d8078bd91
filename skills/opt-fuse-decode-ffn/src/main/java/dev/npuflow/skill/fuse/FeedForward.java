package dev.npuflow.skill.fuse;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.KernelNames;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.ValueFlow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// The second half of a decode layer, found in a plan by what its launches do, whatever they are called and however they are merged.
///
///     attention → O → o;  o + x → residual → norm → normed;  normed → gate, up → swiglu → Down → down;  down + residual → out
///
/// @param calls neighbours in the layer section
record FeedForward(List<NpuCall> calls, Argument attention, Argument x, Argument out, Weights weights, Sizes sizes, double epsilon) {

    private static final List<String> KERNELS = List.of(KernelNames.GEMV, KernelNames.ELTWISE_ADD, KernelNames.RMS_NORM, KernelNames.GEMV, KernelNames.GEMV, KernelNames.SILU_MUL, KernelNames.GEMV, KernelNames.ELTWISE_ADD);

    FeedForward {
        calls = List.copyOf(calls);
    }

    /// Each whole and read by one launch.
    record Weights(Argument o, Argument norm, Argument gate, Argument up, Argument down) {

        List<Argument> all() {
            return List.of(o, norm, gate, up, down);
        }
    }

    record Sizes(int hidden, int query, int intermediate) {}

    int launches() {
        return KERNELS.size();
    }

    static Optional<FeedForward> find(PhasePlan plan) {
        List<List<NpuCall>> runs = new ArrayList<>(List.of(new ArrayList<>()));
        for (Step step : plan.layer()) {
            switch (step) {
                case NpuCall call -> runs.getLast().add(call);
                case HostOp _ -> runs.add(new ArrayList<>());
            }
        }
        for (List<NpuCall> run : runs) {
            for (int first = 0; first < run.size(); first++) {
                for (int end = first + 1; end <= run.size(); end++) {
                    Optional<FeedForward> found = match(plan, run.subList(first, end));
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<FeedForward> match(PhasePlan plan, List<NpuCall> calls) {
        List<Bound> bound = calls.stream().flatMap(call -> call.launches().stream().map(launch -> new Bound(call, launch))).toList();
        if (!bound.stream().map(launch -> launch.launch.kernel()).toList().equals(KERNELS)) {
            return Optional.empty();
        }
        Bound o = bound.get(0);
        Bound norm = bound.get(2);
        Bound gate = bound.get(3);
        Bound up = bound.get(4);
        Bound down = bound.get(6);
        Optional<String> x = other(bound.get(1), o.value("out"));
        List<Boolean> flow = List.of(x.isPresent(), norm.value("in").equals(bound.get(1).value("out")),
                gate.value("vector").equals(norm.value("out")),
                up.value("vector").equals(norm.value("out")), bound.get(5).value("gate").equals(gate.value("out")),
                bound.get(5).value("up").equals(up.value("out")), down.value("vector").equals(bound.get(5).value("out")),
                other(bound.get(7), down.value("out")).equals(bound.get(1).value("out")));
        List<Bound> inner = bound.subList(0, 7);
        boolean weights = List.of(o, gate, up, down).stream().allMatch(launch -> launch.isWholeWeight("matrix")) && norm.isWholeWeight("weight");
        if (flow.contains(false) || !weights || inner.stream().anyMatch(launch -> usedOutside(plan, calls, launch.value("out")))) {
            return Optional.empty();
        }
        Argument addend = bound.get(1).argumentOf(x.orElseThrow());
        return Optional.of(new FeedForward(calls, o.argument("vector"), addend, bound.get(7).argument("out"),
                new Weights(o.argument("matrix"), norm.argument("weight"), gate.argument("matrix"), up.argument("matrix"), down.argument("matrix")),
                new Sizes(o.extent("m"), o.extent("k"), down.extent("k")), norm.launch.constants().get("epsilon")));
    }

    /// The addend that is not `value`.
    private static Optional<String> other(Bound add, Optional<String> value) {
        Optional<String> a = add.value("a");
        Optional<String> b = add.value("b");
        return a.equals(value) ? b : b.equals(value) ? a : Optional.empty();
    }

    private static boolean usedOutside(PhasePlan plan, List<NpuCall> calls, Optional<String> value) {
        return value.isEmpty() || plan.steps().filter(step -> calls.stream().noneMatch(call -> call == step))
                .anyMatch(step -> ValueFlow.of(step).reads().contains(value.get()));
    }

    /// A launch with the arguments of its call.
    private record Bound(NpuCall call, Launch launch) {

        Argument argument(String port) {
            return call.argument(operand(port).argument());
        }

        private Operand operand(String port) {
            return Objects.requireNonNull(launch.inputs().getOrDefault(port, launch.outputs().get(port)), port);
        }

        int extent(String name) {
            return launch.shape().get(name);
        }

        /// Name of the value that a port holds; empty where it holds a part of an argument or something else.
        Optional<String> value(String port) {
            return operand(port).equals(Operand.whole(argument(port))) && argument(port).source() instanceof Source.Activation(String value)
                    ? Optional.of(value) : Optional.empty();
        }

        boolean isWholeWeight(String port) {
            return argument(port).source() instanceof Source.Weight && operand(port).equals(Operand.whole(argument(port)));
        }

        Argument argumentOf(String value) {
            return Stream.of("a", "b").filter(port -> value(port).equals(Optional.of(value))).findFirst().map(this::argument).orElseThrow();
        }
    }
}
