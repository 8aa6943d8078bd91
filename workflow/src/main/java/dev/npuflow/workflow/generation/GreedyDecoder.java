package dev.npuflow.workflow.generation;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.model.Vocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/// Greedy decoding: every step takes the largest logit, the smaller id on a tie. Token 0 comes from the prompt's last position.
public final class GreedyDecoder {

    private GreedyDecoder() {}

    /// What the gate records of one side: always `tokens` steps, those after an EOS included (docs/upstream.md, "Gate").
    ///
    /// @throws NpuflowException NPF-503 for an empty prompt, NPF-504 for logits that mean nothing
    public static TokenTrace trace(TokenEngine engine, int[] prompt, int tokens, int k) {
        Generation all = generate(engine, prompt, new GenerationLimits(tokens, List.of(), k, false), id -> {});
        return new TokenTrace(all.ids(), all.topK());
    }

    /// @param onToken told every new id as it is made
    /// @throws NpuflowException NPF-503 for an empty prompt, NPF-504 for logits that mean nothing
    public static Generation generate(TokenEngine engine, int[] prompt, GenerationLimits limits, IntConsumer onToken) {
        Vocabulary.requireSome("the prompt", prompt);
        List<Integer> ids = new ArrayList<>();
        List<List<Integer>> topK = new ArrayList<>();
        List<float[]> kept = new ArrayList<>();
        boolean eos = false;
        while (ids.size() < limits.tokens() && !eos) {
            float[] logits = ids.isEmpty() ? engine.prefill(prompt) : engine.decode(ids.getLast());
            requireMeaning(logits, ids.size());
            List<Integer> best = TopK.of(logits, limits.topK());
            ids.add(best.getFirst());
            topK.add(best);
            if (limits.keepLogits()) {
                kept.add(logits.clone());
            }
            onToken.accept(best.getFirst());
            eos = limits.eosIds().contains(best.getFirst());
        }
        return new Generation(ids, topK, kept, eos);
    }

    private static void requireMeaning(float[] logits, int step) {
        Logits.fault(logits).ifPresent(fault -> {
            throw NpuflowException.environment("NPF-504", format(ROOT, "step %d", step), format(ROOT, "logits %s", fault.text()),
                    "finite logits that differ", fault.remedy());
        });
    }
}
