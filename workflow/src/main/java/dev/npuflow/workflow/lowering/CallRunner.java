package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.runtime.BufferObject;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.npu.runtime.LoadedElf;
import dev.npuflow.npu.runtime.NpuRuntime;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.BufferObjects.BufferSet;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Runs one NPU call as upstream's `load_and_run` does (docs/upstream.md, "Runtime"): write what has to be written, run, read back.
final class CallRunner implements AutoCloseable {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final NpuRuntime runtime;
    private final CompiledDeployment compiled;
    private final BufferObjects bufferObjects;
    private final ArgumentFilling filling;
    private final Values values;
    private final Map<Executable, LoadedElf> loaded = new HashMap<>();

    CallRunner(NpuRuntime runtime, CompiledDeployment compiled, Weights weights, Values values) {
        this.runtime = runtime;
        this.compiled = compiled;
        this.bufferObjects = new BufferObjects(runtime);
        this.filling = new ArgumentFilling(new WeightSources(weights), values);
        this.values = values;
    }

    /// Picoseconds of one call's three segments, and what was moved.
    record CallTime(long write, long run, long read, long bytesWritten, int buffersWritten, int buffersRead) {}

    /// The first call of a key with zeros for all activations, at one position: nobody has made any yet.
    CallTime preload(Phase phase, NpuCall call, int layer) {
        return run(phase, call, layer, 1, LaunchInspector.NONE, true);
    }

    /// @param layer     the layer that the call stands in, 0 outside the layer section
    /// @param positions real token positions of this pass
    /// @param inspector looks at the device between the launches
    /// @throws dev.npuflow.fault.NpuflowException NPF-241 to NPF-243 and NPF-245, as [BufferObjects] and [ArgumentFilling] say
    CallTime run(Phase phase, NpuCall call, int layer, int positions, LaunchInspector inspector) {
        return run(phase, call, layer, positions, inspector, false);
    }

    private CallTime run(Phase phase, NpuCall call, int layer, int positions, LaunchInspector inspector, boolean zeros) {
        BufferSet set = bufferObjects.of(phase, call, layer);
        boolean first = set.firstUse();
        List<Argument> arguments = call.arguments();
        long write = 0;
        long bytesWritten = 0;
        int buffersWritten = 0;
        for (int i = 0; i < arguments.size(); i++) {
            Argument argument = arguments.get(i);
            if (first || argument.transfer() == Transfer.EVERY_CALL) {
                BufferObject object = set.objects().get(i);
                filling.fill(object, call, argument, layer, positions, zeros);
                write += object.syncToDevice();
                bytesWritten += argument.bytes();
                buffersWritten++;
            }
        }
        long run = dispatch(phase, call, set, positions, inspector);
        long read = 0;
        int buffersRead = 0;
        for (int i = 0; i < arguments.size(); i++) {
            Argument argument = arguments.get(i);
            if (argument.readBack()) {
                long bytes = activeElements(call, argument, positions) * argument.dataType().bytes();
                read += set.objects().get(i).syncFromDevice(bytes);
                buffersRead++;
                if (argument.source() instanceof Source.Activation(String value)) {
                    values.put(value, set.objects().get(i).host().asSlice(0, bytes).toArray(BF16));
                }
            }
        }
        return new CallTime(write, run, read, bytesWritten, buffersWritten, buffersRead);
    }

    private long dispatch(Phase phase, NpuCall call, BufferSet set, int positions, LaunchInspector inspector) {
        LoadedElf elf = loaded.computeIfAbsent(compiled.executable(phase, call.name()), runtime::load);
        return runtime.run(elf, set.objects(), positions, inspector).completed().picoseconds();
    }

    /// Elements of an argument that belong to real positions: all of them, unless a launch that uses it is padded.
    static long activeElements(NpuCall call, Argument argument, int positions) {
        return call.launches().stream()
                .filter(launch -> launch.shape().containsKey("positions") && isPositional(launch, argument))
                .mapToLong(launch -> argument.elements() / launch.shape().get("positions") * positions)
                .findFirst().orElse(argument.elements());
    }

    private static boolean isPositional(Launch launch, Argument argument) {
        return !(argument.source() instanceof Source.Weight)
                && Stream.of(launch.inputs(), launch.outputs()).flatMap(ports -> ports.values().stream())
                        .anyMatch(operand -> operand.argument().equals(argument.name()));
    }

    @Override public void close() {
        filling.close();
    }
}
