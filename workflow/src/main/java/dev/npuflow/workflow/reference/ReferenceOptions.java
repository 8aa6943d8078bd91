package dev.npuflow.workflow.reference;

import java.util.Optional;
import java.util.function.Consumer;

/// How a reference engine runs; nothing here changes a bit of a result.
///
/// @param threads  that share the work, the caller among them; at least 1
/// @param observer sees every operator's output
/// @param exact    sees every operator's output beside the one that is not rounded, of the same inputs; empty where nobody does, which takes half the time
/// @param notices  takes the line that says why arithmetic is slow here, at most once an engine
public record ReferenceOptions(int threads, IntermediateObserver observer, Optional<ExactObserver> exact, Consumer<String> notices) {

    /// More threads than this do not read memory faster.
    private static final int MOST_THREADS = 8;

    /// One thread a core, nobody watches.
    public static ReferenceOptions defaults(Consumer<String> notices) {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_THREADS);
        return new ReferenceOptions(threads, (_, _, _, _, _) -> { }, Optional.empty(), notices);
    }

    public ReferenceOptions withObserver(IntermediateObserver newObserver) {
        return new ReferenceOptions(threads, newObserver, exact, notices);
    }

    public ReferenceOptions withExact(ExactObserver newObserver) {
        return new ReferenceOptions(threads, observer, Optional.of(newObserver), notices);
    }

    public ReferenceOptions withThreads(int newThreads) {
        return new ReferenceOptions(newThreads, observer, exact, notices);
    }
}
