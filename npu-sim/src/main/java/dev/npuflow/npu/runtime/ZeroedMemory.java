package dev.npuflow.npu.runtime;

import dev.npuflow.fault.NpuflowException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Memory that reads as zeros and takes no room until it is written. `Arena.allocate` would write the zeros itself, and a padded
/// prefill's buffers would fill gigabytes that no kernel looks at.
final class ZeroedMemory {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CALLOC = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("calloc"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("free"),
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

    private ZeroedMemory() {}

    /// @throws NpuflowException NPF-408 when there is no memory
    static MemorySegment allocate(Arena arena, long bytes) {
        MemorySegment memory = (MemorySegment) call(() -> CALLOC.invoke(1L, bytes));
        if (memory.equals(MemorySegment.NULL)) {
            throw NpuflowException.environment("NPF-408", "buffer object of %d bytes".formatted(bytes), "enough host memory", "a smaller model or context");
        }
        return memory.reinterpret(bytes, arena, ZeroedMemory::free);
    }

    private static void free(MemorySegment memory) {
        call(() -> FREE.invoke(memory));
    }

    private static Object call(NativeCall call) {
        try {
            return call.invoke();
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    private interface NativeCall {
        Object invoke() throws Throwable;
    }
}
