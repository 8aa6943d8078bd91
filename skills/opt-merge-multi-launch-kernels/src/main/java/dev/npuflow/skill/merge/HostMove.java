package dev.npuflow.skill.merge;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.KernelNames;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Gives the host what upstream computes there: a call of one addition, norm or SiLU·mul becomes the host operation of the same name on the same values.
/// The host adds a norm's squares in another order than the cores, and its exponential is another one, so last bits change.
final class HostMove {

    private static final Map<String, HostKind> KINDS = Map.of(KernelNames.ELTWISE_ADD, HostKind.ADD, KernelNames.RMS_NORM, HostKind.RMS_NORM, KernelNames.SILU_MUL, HostKind.SILU_MUL);

    private HostMove() {}

    /// @param chosen by the name of the launch
    static PhasePlan apply(PhasePlan plan, Predicate<String> chosen) {
        return plan.mapSections(section -> section.stream().map(step -> switch (step) {
            case NpuCall call -> moved(call, chosen).<Step>map(op -> op).orElse(call);
            case HostOp op -> op;
        }).toList());
    }

    private static Optional<HostOp> moved(NpuCall call, Predicate<String> chosen) {
        Launch launch = call.launches().getFirst();
        if (call.launches().size() > 1 || !KINDS.containsKey(launch.kernel()) || !chosen.test(launch.name())) {
            return Optional.empty();
        }
        SortedMap<String, String> inputs = names(call, launch.inputs());
        SortedMap<String, String> outputs = names(call, launch.outputs());
        boolean all = inputs.size() == launch.inputs().size() && outputs.size() == launch.outputs().size();
        SortedMap<String, Integer> shape = new TreeMap<>(Map.of("n", launch.shape().get("n"), "positions", 1));
        return all ? Optional.of(new HostOp(call.name(), KINDS.get(launch.kernel()), inputs, outputs, shape, new TreeMap<>())) : Optional.empty();
    }

    /// What the host calls each port's argument; without the ports that it has no name for.
    private static SortedMap<String, String> names(NpuCall call, SortedMap<String, Operand> ports) {
        SortedMap<String, String> names = new TreeMap<>();
        ports.forEach((port, operand) -> {
            Argument argument = call.argument(operand.argument());
            List<String> name = switch (argument.source()) {
                case Source.Activation(String value) -> List.of(value);
                case Source.Weight(String tensor, int first, int rows) -> first == 0 && rows == 1 ? List.of(tensor) : List.of();
                case Source.InterleavedWeights _, Source.LookUpTable _, Source.Scratch _, Source.Packed _ -> List.of();
            };
            if (operand.equals(Operand.whole(argument))) {
                name.forEach(known -> names.put(port, known));
            }
        });
        return names;
    }
}
