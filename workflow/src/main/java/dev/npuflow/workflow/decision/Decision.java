package dev.npuflow.workflow.decision;

import java.util.Optional;

/// What a comparison comes to. The same for every target.
public sealed interface Decision {

    Comparison comparison();

    record Kept(Comparison comparison) implements Decision {}

    record Reverted(Comparison comparison, Ground ground) implements Decision {}

    /// More pairs may tell. Where no more are measured, the gain is within the noise.
    record Undecided(Comparison comparison) implements Decision {}

    /// Why a changed plan is not kept.
    enum Ground {
        /// It takes as long, or longer.
        NOT_FASTER,
        /// It takes less, but not by the smallest gain that counts.
        TOO_LITTLE,
        /// What it takes less is what two runs of one plan differ by as well.
        WITHIN_NOISE
    }

    /// What it rests on, for records and documents; empty on a target that repeats exactly, where the two times say all.
    default Optional<DecisionFigures> figures(GainRule rule) {
        return switch (comparison()) {
            case Comparison.Exact _ -> Optional.empty();
            case Comparison.Paired paired -> Optional.of(DecisionFigures.of(paired, rule));
        };
    }
}
