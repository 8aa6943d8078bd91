package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.generation.TopK;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.reference.ExactObserver;
import dev.npuflow.workflow.reference.IntermediateObserver;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
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

    /// What bf16 alone does to each operator, in the prompt and in so many steps behind it.
    static OperatorNoise noise(LanguageModel model, int[] prompt, int steps) {
        TreeMap<String, Double> differences = new TreeMap<>();
        AtomicReference<Phase> phase = new AtomicReference<>(Phase.PREFILL);
        ExactObserver observer = (layer, value, rounded, exact) -> {
            int rows = layer == IntermediateObserver.NO_LAYER ? 1 : rounded.length / model.config().dimensions().of(value);
            differences.merge(OperatorNoise.name(phase.get(), new Key(layer, value).name()), Bf16Rows.difference(rounded, exact, rows), Math::max);
        };
        try (ReferenceEngine engine = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }).withExact(observer))) {
            float[] logits = engine.prefill(prompt);
            phase.set(Phase.DECODE);
            for (int step = 0; step < steps; step++) {
                logits = engine.decode(TopK.of(logits, 1).getFirst());
            }
        }
        return new OperatorNoise(differences);
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
