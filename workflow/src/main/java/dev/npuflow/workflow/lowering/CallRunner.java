package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.runtime.BufferObject;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.npu.runtime.LoadedElf;
import dev.npuflow.npu.runtime.NpuRuntime;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.BufferObjects.BufferSet;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Runs one NPU call as upstream's `load_and_run` does (reference document §D.2): write what has to be written, run, read back.
final class CallRunner implements AutoCloseable {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final NpuRuntime runtime;
    private final CompiledDeployment compiled;
    private final BufferObjects bufferObjects;
    private final WeightSources weightSources;
    private final Values values;
    private final Map<Executable, LoadedElf> loaded = new HashMap<>();

    CallRunner(NpuRuntime runtime, CompiledDeployment compiled, Weights weights, Values values) {
        this.runtime = runtime;
        this.compiled = compiled;
        this.bufferObjects = new BufferObjects(runtime);
        this.weightSources = new WeightSources(weights);
        this.values = values;
    }

    /// Picoseconds of one call's three segments, and what was moved.
    record CallTime(long write, long run, long read, long bytesWritten, int buffersWritten, int buffersRead) {}

    /// @param layer     the layer that the call stands in, 0 outside the layer section
    /// @param positions real token positions of this pass
    /// @param inspector looks at the device between the launches
    CallTime run(Phase phase, NpuCall call, int layer, int positions, LaunchInspector inspector) {
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
                fill(object, call, argument, layer, positions);
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

    private void fill(BufferObject object, NpuCall call, Argument argument, int layer, int positions) {
        switch (argument.source()) {
            case Source.Weight weight -> object.writeImmutable(weightSources.rows(weight, layer));
            case Source.InterleavedWeights interleaved -> object.writeImmutable(weightSources.interleave(interleaved, layer));
            case Source.Packed packed -> object.write(pack(packed, layer));
            case Source.Activation(String value) -> fill(object, call, argument, value, positions);
            case Source.LookUpTable(String value) -> fill(object, call, argument, value, positions);
            case Source.Scratch _ -> object.write(zeros(activeElements(call, argument, positions) * argument.dataType().bytes()));
        }
    }

    /// What the host holds of a value that the device reads; zeros, as upstream's fresh output arrays, of one that it only writes.
    private void fill(BufferObject object, NpuCall call, Argument argument, String value, int positions) {
        long bytes = activeElements(call, argument, positions) * argument.dataType().bytes();
        MemorySegment content = isRead(call, argument)
                ? values.find(value).map(MemorySegment::ofArray).orElseGet(() -> zeros(bytes))
                : zeros(bytes);
        if (content.byteSize() > object.bytes()) {
            throw new IllegalStateException("value %s has %d bytes, argument %s of %s %d".formatted(
                    value, content.byteSize(), argument.name(), call.name(), object.bytes()));
        }
        object.write(content);
    }

    private MemorySegment pack(Source.Packed packed, int layer) {
        List<MemorySegment> parts = IntStream.range(0, packed.parts().size()).mapToObj(i -> {
            long bytes = 2L * packed.sizes().get(i);
            return switch (packed.parts().get(i)) {
                case Source.Weight weight -> weightSources.rows(weight, layer);
                case Source.Activation(String value) -> values.find(value).map(MemorySegment::ofArray).orElseGet(() -> zeros(bytes));
                case Source.LookUpTable(String value) -> values.find(value).map(MemorySegment::ofArray).orElseGet(() -> zeros(bytes));
                case Source.Scratch _ -> zeros(bytes);
                case Source.InterleavedWeights interleaved -> weightSources.interleave(interleaved, layer);
                case Source.Packed inner -> pack(inner, layer);
            };
        }).toList();
        return WeightSources.concatenate(parts);
    }

    private static MemorySegment zeros(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }

    private static boolean isRead(NpuCall call, Argument argument) {
        return operands(call.launches().stream().map(Launch::inputs)).anyMatch(operand -> operand.argument().equals(argument.name()));
    }

    private static Stream<Operand> operands(Stream<? extends Map<String, Operand>> ports) {
        return ports.flatMap(bound -> bound.values().stream());
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
                && operands(Stream.of(launch.inputs(), launch.outputs())).anyMatch(operand -> operand.argument().equals(argument.name()));
    }

    @Override public void close() {
        weightSources.close();
    }
}
