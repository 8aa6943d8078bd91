package dev.npuflow.npu.runtime;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature.Port;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.kernel.Workers;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The device sides behind a launch's ports.
record BoundOperands(Map<String, MemorySegment> memory, int activePositions, Workers workers) implements Operands {

    private static final long BYTES_AN_ELEMENT = 2;

    /// Written ports come first: making memory writable may replace it, also for those who read it.
    static BoundOperands of(LaunchDescription launch, Kernel kernel, List<BufferObject> arguments, int activePositions, Workers workers) {
        Map<String, MemorySegment> memory = new TreeMap<>();
        for (boolean writes : new boolean[] {true, false}) {
            for (Port port : kernel.signature().ports()) {
                if (port.direction().writes() == writes) {
                    PortBinding binding = launch.ports().get(port.name());
                    DeviceSide device = arguments.get(binding.argument()).device();
                    long from = binding.offset() * BYTES_AN_ELEMENT;
                    long to = from + port.activeElements(launch.shape(), activePositions) * BYTES_AN_ELEMENT;
                    MemorySegment whole = writes ? device.writable(from, to) : device.readable(from, to);
                    memory.put(port.name(), whole.asSlice(from, binding.elements() * BYTES_AN_ELEMENT));
                }
            }
        }
        return new BoundOperands(memory, activePositions, workers);
    }

    @Override
    public MemorySegment port(String name) {
        MemorySegment segment = memory.get(name);
        if (segment == null) {
            throw new IllegalArgumentException("no port %s".formatted(name));
        }
        return segment;
    }
}
