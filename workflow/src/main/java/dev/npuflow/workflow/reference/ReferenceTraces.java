package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.generation.Generation;
import dev.npuflow.workflow.generation.GenerationLimits;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.generation.TopK;
import dev.npuflow.workflow.model.LanguageModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// The reference's side of the gate: greedy tokens after each prompt, EOS ignored, from the cache where it has them.
///
/// @param tokens steps a prompt, at least 1
/// @param topK   best ids kept a step, at least 1
public record ReferenceTraces(Path cacheDirectory, ReferenceOptions options, int tokens, int topK) {

    /// @param progress told each prompt that is not in the cache as its computation starts, and its tokens
    /// @return one trace a prompt, in the same order
    /// @throws dev.npuflow.fault.NpuflowException of a prompt the model cannot read (NPF-154, NPF-163, NPF-503), of logits that mean
    ///         nothing (NPF-504), of a cache that cannot be written (NPF-164)
    public List<ReferenceTrace> of(LanguageModel model, List<int[]> prompts, GenerationProgress progress) {
        TraceCache cache = new TraceCache(cacheDirectory, options.notices());
        List<ReferenceTrace> traces = new ArrayList<>();
        Optional<ReferenceEngine> engine = Optional.empty();
        try {
            for (int i = 0; i < prompts.size(); i++) {
                TraceKey key = key(model, prompts.get(i));
                Optional<ReferenceTrace> cached = cache.find(key);
                if (cached.isPresent()) {
                    traces.add(cached.get());
                    continue;
                }
                progress.prompt(i + 1, prompts.size(), tokens);
                engine = engine.or(() -> Optional.of(new ReferenceEngine(model, options)));
                ReferenceTrace trace = compute(engine.get(), prompts.get(i), progress);
                cache.put(key, trace);
                traces.add(trace);
            }
        } finally {
            engine.ifPresent(ReferenceEngine::close);
        }
        return List.copyOf(traces);
    }

    private TraceKey key(LanguageModel model, int[] prompt) {
        return new TraceKey(model.fingerprint(), IntStream.of(prompt).boxed().toList(), tokens, topK, ReferenceEngine.ARITHMETIC_VERSION);
    }

    private ReferenceTrace compute(ReferenceEngine engine, int[] prompt, GenerationProgress progress) {
        AtomicInteger made = new AtomicInteger();
        Generation generation = GreedyDecoder.generate(engine, prompt, new GenerationLimits(tokens, List.of(), topK, true),
                _ -> progress.token(made.incrementAndGet() + 1));
        List<Float> margins = generation.logits().stream().map(ReferenceTraces::margin).toList();
        return new ReferenceTrace(new TokenTrace(generation.ids(), generation.topK()), margins);
    }

    private static float margin(float[] logits) {
        List<Integer> best = TopK.of(logits, 2);
        return logits[best.get(0)] - logits[best.get(1)];
    }
}
