package dev.npuflow.acceptance;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Ways to make a plan wrong.
final class PlanChange {

    private PlanChange() {}

    /// Another tensor for the arguments whose tensor's name ends so.
    static Deployment tensor(Deployment plan, Phase phase, UnaryOperator<String> renamed) {
        return plan.mapCalls(phase, call -> call.mapArguments(argument -> argument.source() instanceof Source.Weight(String tensor, int first, int rows)
                ? withSource(argument, new Source.Weight(renamed.apply(tensor), first, rows)) : argument));
    }

    static Deployment ofLayer0(Deployment plan, Phase phase, String name) {
        return tensor(plan, phase, tensor -> tensor.contains(name) ? tensor.replace("{layer}", "0") : tensor);
    }

    /// Tensors with these two words in their names exchanged.
    static Deployment exchanged(Deployment plan, Phase phase, String one, String other) {
        return tensor(plan, phase, tensor -> tensor.contains(one) ? tensor.replace(one, other) : tensor.replace(other, one));
    }

    /// Another argument of the call on a launch's port.
    static Deployment rebound(Deployment plan, Phase phase, String launch, String port, String argument) {
        return plan.mapCalls(phase, call -> call.withLaunches(call.launches().stream()
                .map(candidate -> candidate.name().equals(launch) ? bound(call, candidate, port, argument) : candidate).toList()));
    }

    private static Launch bound(NpuCall call, Launch launch, String port, String argument) {
        TreeMap<String, Operand> inputs = new TreeMap<>(launch.inputs());
        inputs.put(port, Operand.whole(call.argument(argument)));
        return launch.withOperands(inputs, launch.outputs());
    }

    static Deployment withoutLaunch(Deployment plan, Phase phase, String launch) {
        return plan.mapCalls(phase, call -> call.withLaunches(call.launches().stream().filter(candidate -> !candidate.name().equals(launch)).toList()));
    }

    static Deployment swapped(Deployment plan, Phase phase, String first, String second) {
        return plan.mapCalls(phase, call -> {
            List<Launch> launches = new ArrayList<>(call.launches());
            List<String> names = launches.stream().map(Launch::name).toList();
            if (names.containsAll(List.of(first, second))) {
                Collections.swap(launches, names.indexOf(first), names.indexOf(second));
            }
            return call.withLaunches(launches);
        });
    }

    static Deployment steps(Deployment plan, Phase phase, UnaryOperator<List<Step>> change) {
        return plan.withPhase(phase, plan.phase(phase).mapSections(change));
    }

    static Deployment withoutStep(Deployment plan, Phase phase, String name) {
        return steps(plan, phase, steps -> steps.stream().filter(step -> !step.name().equals(name)).toList());
    }

    /// Another value for a parameter of a host operation.
    static Deployment reads(Deployment plan, Phase phase, String op, String parameter, String value) {
        return steps(plan, phase, steps -> steps.stream().map(step -> step instanceof HostOp host && host.name().equals(op)
                ? host.withInputs(with(host, parameter, value)) : step).toList());
    }

    private static TreeMap<String, String> with(HostOp op, String parameter, String value) {
        TreeMap<String, String> inputs = new TreeMap<>(op.inputs());
        inputs.put(parameter, value);
        return inputs;
    }

    /// Another value for an argument of a call.
    static Deployment value(Deployment plan, Phase phase, String call, String argument, String value) {
        return plan.mapCalls(phase, candidate -> candidate.name().equals(call) ? candidate.mapArguments(held -> held.name().equals(argument)
                ? withSource(held, new Source.Activation(value)) : held) : candidate);
    }

    static Argument withSource(Argument argument, Source source) {
        return new Argument(argument.name(), argument.shape(), argument.dataType(), source, argument.transfer(), argument.readBack());
    }
}
