package dev.npuflow.npu.runtime;

import java.util.function.IntSupplier;

/// What a runtime depends on besides device and clocks.
///
/// @param contexts             hardware contexts of the device; ELFs beyond it replace the one not used for longest
/// @param contextsHeldByOthers of these, those in use by other processes; asked at every run
/// @param processor            decides what becomes of each command
/// @param threads              host threads that compute kernels, ≥ 1; never changes a result
public record RuntimeOptions(int contexts, IntSupplier contextsHeldByOthers, CommandProcessor processor, int threads) {

    private static final int MOST_THREADS = 16;

    /// A healthy device for this process alone, without a limit on contexts, on the machine's processors.
    public static RuntimeOptions standard() {
        return new RuntimeOptions(Integer.MAX_VALUE, () -> 0, CommandProcessor.healthy(),
                Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_THREADS));
    }

    public RuntimeOptions withContexts(int limit, IntSupplier heldByOthers) {
        return new RuntimeOptions(limit, heldByOthers, processor, threads);
    }

    public RuntimeOptions withProcessor(CommandProcessor changed) {
        return new RuntimeOptions(contexts, contextsHeldByOthers, changed, threads);
    }

    public RuntimeOptions withThreads(int changed) {
        return new RuntimeOptions(contexts, contextsHeldByOthers, processor, changed);
    }
}
