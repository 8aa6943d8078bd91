package dev.npuflow.workflow.reference;

import dev.npuflow.plan.CanonicalJson;
import java.util.List;

/// Everything a trace depends on. Threads and vectors are not among it: they change no bit.
///
/// @param model      the model's fingerprint: configuration and weights
/// @param arithmetic [ReferenceEngine#ARITHMETIC_VERSION]
record TraceKey(String model, List<Integer> prompt, int tokens, int topK, String arithmetic) {

    TraceKey {
        prompt = List.copyOf(prompt);
    }

    String fileName() {
        return "tokens-" + CanonicalJson.hash(this) + ".json";
    }
}
