package dev.npuflow.workflow.reference;

import java.util.function.Consumer;

/// How a reference engine runs; nothing here changes a bit of a result.
///
/// @param threads  that share the work, the caller among them; at least 1
/// @param observer sees every operator's output
/// @param notices  takes the line that says why arithmetic is slow here, at most once an engine
public record ReferenceOptions(int threads, IntermediateObserver observer, Consumer<String> notices) {

    /// More threads than this do not read memory faster.
    private static final int MOST_THREADS = 8;

    /// One thread a core, nobody watches.
    public static ReferenceOptions defaults(Consumer<String> notices) {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_THREADS);
        return new ReferenceOptions(threads, (_, _, _, _, _) -> { }, notices);
    }

    public ReferenceOptions withObserver(IntermediateObserver newObserver) {
        return new ReferenceOptions(threads, newObserver, notices);
    }

    public ReferenceOptions withThreads(int newThreads) {
        return new ReferenceOptions(newThreads, observer, notices);
    }
}
