package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// An NPU call of a plan, said in the simulator's own words. This is the only place where the two meet.
public final class Lowering {

    private Lowering() {}

    public static ElfDescription lower(NpuCall call) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        for (Argument argument : call.arguments()) {
            slots.put(argument.name(), slots.size());
        }
        List<ArgumentDescription> arguments = call.arguments().stream()
                .map(argument -> new ArgumentDescription(argument.name(), argument.bytes())).toList();
        List<LaunchDescription> launches = call.launches().stream().map(launch -> lower(launch, slots)).toList();
        return new ElfDescription(call.name(), launches, arguments, call.options().pingPong(), call.options().loopTiling());
    }

    private static LaunchDescription lower(Launch launch, Map<String, Integer> slots) {
        SortedMap<String, PortBinding> ports = new TreeMap<>();
        launch.inputs().forEach((port, operand) -> ports.put(port, bind(operand, slots)));
        launch.outputs().forEach((port, operand) -> ports.put(port, bind(operand, slots)));
        return new LaunchDescription(launch.name(), new KernelId(launch.kernel()), launch.symbol(), launch.shape(), launch.constants(),
                launch.herd().columns(), launch.herd().rows(), launch.tile(), ports);
    }

    private static PortBinding bind(Operand operand, Map<String, Integer> slots) {
        return new PortBinding(slots.get(operand.argument()), operand.offset(), operand.elements());
    }
}
