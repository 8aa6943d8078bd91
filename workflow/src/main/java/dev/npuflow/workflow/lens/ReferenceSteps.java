package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.generation.TopK;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The reference, step by step: the prompt, then its own greedy tokens. Steps are computed when they are first asked for, and kept.
final class ReferenceSteps implements AutoCloseable {

    private final int[] prompt;
    private final Predicate<Value> kept;
    private final ReferenceEngine engine;
    private final List<ReferencePass> passes = new ArrayList<>();
    private final List<Integer> tokens = new ArrayList<>();

    /// @param kept the values that are wanted: a prompt's take room
    ReferenceSteps(LanguageModel model, int[] prompt, Predicate<Value> kept) {
        this.prompt = prompt.clone();
        this.kept = kept;
        engine = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }).withObserver(this::observe));
    }

    int[] prompt() {
        return prompt.clone();
    }

    /// @param step 0 for the prompt
    ReferencePass pass(int step) {
        while (passes.size() <= step) {
            int next = passes.size();
            passes.add(new ReferencePass(next, next == 0 ? 0 : prompt.length + next - 1, next == 0 ? prompt.length : 1));
            float[] logits = next == 0 ? engine.prefill(prompt) : engine.decode(token(next));
            tokens.add(TopK.of(logits, 1).getFirst());
        }
        return passes.get(step);
    }

    /// The token that both sides read in a decode step: the one that the reference chose in the step before.
    int token(int step) {
        pass(step - 1);
        return tokens.get(step - 1);
    }

    private void observe(int layer, Value value, int firstPosition, int width, float[] values) {
        if (kept.test(value)) {
            short[] narrowed = new short[values.length];
            for (int i = 0; i < values.length; i++) {
                narrowed[i] = Bfloat16.fromFloat(values[i]);
            }
            passes.getLast().put(new Key(layer, value), narrowed);
        }
    }

    @Override public void close() {
        engine.close();
    }
}
