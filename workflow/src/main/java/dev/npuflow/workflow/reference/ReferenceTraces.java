package dev.npuflow.workflow.reference;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.generation.Generation;
import dev.npuflow.workflow.generation.GenerationLimits;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.model.LanguageModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/// The reference's side of the gate: greedy tokens after each prompt, EOS ignored, and beside them the logits of the unrounded engine on the same tokens;
/// from the cache where it has both.
///
/// @param tokens steps a prompt, at least 1
/// @param topK   best ids kept a step, at least 1
public record ReferenceTraces(Path cacheDirectory, ReferenceOptions options, int tokens, int topK) {

    /// Changes whenever an unrounded logit can change in any bit.
    private static final String UNROUNDED_VERSION = "unrounded-1";

    /// @param progress told each prompt that is not in the cache as its computation starts, and its tokens
    /// @return one a prompt, in the same order
    /// @throws dev.npuflow.fault.NpuflowException of a prompt the model cannot read (NPF-154, NPF-163, NPF-503), of logits that mean
    ///         nothing (NPF-504), of a cache that cannot be written (NPF-164)
    public List<Expected> of(LanguageModel model, List<int[]> prompts, GenerationProgress progress) {
        List<Expected> traces = new ArrayList<>();
        Optional<PairedEngines> engines = Optional.empty();
        try {
            for (int i = 0; i < prompts.size(); i++) {
                Optional<Expected> cached = cached(model, prompts.get(i));
                if (cached.isPresent()) {
                    traces.add(cached.get());
                    continue;
                }
                progress.prompt(i + 1, prompts.size(), tokens);
                engines = engines.or(() -> Optional.of(new PairedEngines(model, options)));
                traces.add(compute(engines.get(), model, prompts.get(i), progress));
            }
        } finally {
            engines.ifPresent(PairedEngines::close);
        }
        return List.copyOf(traces);
    }

    private TraceKey key(LanguageModel model, int[] prompt) {
        return new TraceKey(model.fingerprint(), IntStream.of(prompt).boxed().toList(), tokens, topK, ReferenceEngine.ARITHMETIC_VERSION);
    }

    private static String logitKey(TraceKey key) {
        return CanonicalJson.hash(List.of(key, UNROUNDED_VERSION));
    }

    private Path logitFile(TraceKey key) {
        return cacheDirectory.resolve("unrounded-" + logitKey(key) + ".logits");
    }

    private TraceCache traces() {
        return new TraceCache(cacheDirectory, options.notices());
    }

    private Optional<Expected> cached(LanguageModel model, int[] prompt) {
        TraceKey key = key(model, prompt);
        return traces().find(key).flatMap(trace -> LogitFile.find(logitFile(key), logitKey(key), tokens, options.notices())
                .map(logits -> new Expected(trace, Optional.of(logits))));
    }

    private Expected compute(PairedEngines engines, LanguageModel model, int[] prompt, GenerationProgress progress) {
        TraceKey key = key(model, prompt);
        AtomicInteger made = new AtomicInteger();
        try (LogitFile.Writer writer = new LogitFile.Writer(logitFile(key), logitKey(key), tokens)) {
            TokenTrace trace = trace(engines.into(writer::add), prompt, new GenerationLimits(tokens, List.of(), topK, false),
                    _ -> progress.token(made.incrementAndGet() + 1));
            LogitFile logits = writer.finish();
            traces().put(key, trace);
            return new Expected(trace, Optional.of(logits));
        }
    }

    /// As [#of], computed again each time and held in memory: for small models without a cache.
    public static List<Expected> held(LanguageModel model, List<int[]> prompts, ReferenceOptions options, int tokens, int topK) {
        try (PairedEngines engines = new PairedEngines(model, options)) {
            return prompts.stream().map(prompt -> {
                HeldLogits logits = new HeldLogits();
                TokenTrace trace = trace(engines.into(logits::add), prompt, new GenerationLimits(tokens, List.of(), topK, false), _ -> { });
                return new Expected(trace, Optional.of(logits));
            }).toList();
        }
    }

    private static TokenTrace trace(PairedEngines engines, int[] prompt, GenerationLimits limits, IntConsumer onToken) {
        Generation generation = GreedyDecoder.generate(engines, prompt, limits, onToken);
        return new TokenTrace(generation.ids(), generation.topK());
    }
}
