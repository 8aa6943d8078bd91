package dev.npuflow.workflow.lens;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where the NPU leaves the reference when every operator gets the reference's inputs.
///
/// @param plan     hash
/// @param prompts  how many prompts were looked at
/// @param steps    decode steps after each
/// @param fault    empty if every operator stays within its noise
/// @param unjudged launches seen whose outputs are no operator of the reference's, `call/launch`: nothing is said of them but by what reads them
public record Localization(String plan, int prompts, int steps, Optional<Fault> fault, List<String> unjudged) {

    public Localization {
        unjudged = List.copyOf(unjudged);
    }

    /// The first operator beyond its noise, in the order of computation.
    ///
    /// @param prompt     index of the gate's prompt
    /// @param step       0 for the prefill
    /// @param position   of the first row that is wrong
    /// @param layer      −1 outside the layers
    /// @param place      `call/launch` on the NPU, the operation's name on the host
    /// @param difference |NPU − reference| / |reference| of the worst row
    /// @param noise      the limit: 4 × what bf16 alone moves the operator
    /// @param involved   the argument that holds what it should not, if it is one
    /// @param evidence   what was found, one line
    public record Fault(int prompt, Phase phase, int step, int position, int layer, String operator, String place, double difference, double noise,
            Optional<Involved> involved, Hypothesis hypothesis, String evidence) {

        /// Text lines, the place first.
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            String where = step == 0 ? "prefill" : "decode step " + step;
            lines.add(format(ROOT, "%s, position %d, %s%s: %s (%s)", where, position, layer < 0 ? "" : "layer " + layer + ", ", operator, place,
                    difference < 1e9 ? format(ROOT, "difference %.3g, noise %.3g", difference, noise) : "not finite"));
            involved.ifPresent(found -> lines.add(found.text()));
            lines.add("Hypothesis %d, %s: %s".formatted(hypothesis.number(), hypothesis.title(), evidence));
            lines.add("Fix: " + hypothesis.remedy());
            return List.copyOf(lines);
        }
    }

    /// @param bufferObject  `call/argument`, with the key it belongs to
    public record Involved(String call, String argument, Transfer transfer, String bufferObject) {

        String text() {
            return "argument %s of %s, %s, buffer object %s".formatted(argument, call, transfer.name().toLowerCase(Locale.ROOT), bufferObject);
        }
    }

    /// For people and for `debug_log.md`.
    public List<String> lines() {
        return fault.map(Fault::lines).orElseGet(this::nothing);
    }

    private List<String> nothing() {
        String within = "every operator stays within its noise on %d prompts and %d decode steps when it gets the reference's inputs"
                .formatted(prompts, steps);
        return unjudged.isEmpty() ? List.of(within) : List.of(within,
                "not compared, for the reference has no such value: " + String.join(", ", unjudged));
    }
}
