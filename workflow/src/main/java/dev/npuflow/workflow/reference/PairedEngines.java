package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.generation.Divergence;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.model.LanguageModel;

/// The reference decides, and the unrounded engine reads every token beside it; each step's unrounded logits go to the sink, with the distance between the two.
final class PairedEngines implements TokenEngine {

    private final ReferenceEngine reference;
    private final ReferenceEngine unrounded;
    private Sink sink = (_, _) -> { };

    PairedEngines(LanguageModel model, ReferenceOptions options) {
        reference = new ReferenceEngine(model, options);
        unrounded = ReferenceEngine.unrounded(model, options);
    }

    /// Takes a step's distance and logits.
    @FunctionalInterface
    interface Sink {

        /// @param noise KL(unrounded ‖ reference), in nats
        void add(double noise, float[] logits);
    }

    /// Where the steps from now on go.
    PairedEngines into(Sink next) {
        sink = next;
        return this;
    }

    @Override public float[] prefill(int[] prompt) {
        return recorded(reference.prefill(prompt), unrounded.prefill(prompt));
    }

    @Override public float[] decode(int token) {
        return recorded(reference.decode(token), unrounded.decode(token));
    }

    private float[] recorded(float[] rounded, float[] exact) {
        sink.add(Divergence.of(exact, rounded), exact);
        return rounded;
    }

    @Override public void close() {
        reference.close();
        unrounded.close();
    }
}
