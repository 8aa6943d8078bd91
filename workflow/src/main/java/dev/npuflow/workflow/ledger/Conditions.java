package dev.npuflow.workflow.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Under which conditions a time was measured. Two times are compared only under the same.
///
/// @param promptTokens ids of the prompt
/// @param paddedPrompt positions that prefill is charged for
/// @param decodeTokens tokens really made, never those asked for: a run that stopped early is not faster
/// @param device       hash of the device description
/// @param source       where the figures come from, such as `simulated on npu2`
/// @param build        of npuflow, by content, or of the tool chain
public record Conditions(int promptTokens, int paddedPrompt, int decodeTokens, String device, String source, String build) {

    /// Why two times cannot be compared; empty where they can.
    public Optional<String> differenceFrom(Conditions other) {
        List<String> differences = new ArrayList<>();
        compare(differences, "prompt tokens", promptTokens, other.promptTokens);
        compare(differences, "prompt_len", paddedPrompt, other.paddedPrompt);
        compare(differences, "decoded tokens", decodeTokens, other.decodeTokens);
        compare(differences, "device", device, other.device);
        compare(differences, "source", source, other.source);
        compare(differences, "build", build, other.build);
        return differences.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", differences));
    }

    private static void compare(List<String> differences, String name, Object before, Object after) {
        if (!before.equals(after)) {
            differences.add(name + " " + before + " against " + after);
        }
    }
}
