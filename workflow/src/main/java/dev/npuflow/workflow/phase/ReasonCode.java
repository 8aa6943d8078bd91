package dev.npuflow.workflow.phase;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.npuflow.workflow.report.Outcome;

/// Why a skill was kept, skipped or reverted, for machines.
public enum ReasonCode {
    FASTER(Outcome.APPLIED),
    /// Ledgers of an earlier version also say that a skill refused, which was another way to say the same.
    @JsonAlias("SKILL_REFUSED") DOES_NOT_APPLY(Outcome.SKIPPED),
    CHANGED_NOTHING(Outcome.SKIPPED),
    SKILL_CRASHED(Outcome.SKIPPED),
    NONDETERMINISTIC(Outcome.SKIPPED),
    TOUCHED_ANOTHER_PHASE(Outcome.SKIPPED),
    DOES_NOT_COMPILE(Outcome.SKIPPED),
    COMPILES_ONLY(Outcome.SKIPPED),
    SELF_CHECK_FAILED(Outcome.REVERTED),
    GATE_FAILED(Outcome.REVERTED),
    /// An operator of a plan whose bits may differ is further from the reference than bf16 explains.
    OPERATOR_BEYOND_NOISE(Outcome.REVERTED),
    NOT_FASTER(Outcome.REVERTED),
    /// It may be faster, by no more than two runs of one plan differ.
    WITHIN_NOISE(Outcome.REVERTED),
    TARGET_FAILED(Outcome.REVERTED);

    private final Outcome outcome;

    ReasonCode(Outcome outcome) {
        this.outcome = outcome;
    }

    /// Whether the plan computed the wrong thing.
    boolean wrong() {
        return this == SELF_CHECK_FAILED || this == GATE_FAILED || this == OPERATOR_BEYOND_NOISE;
    }

    public Outcome outcome() {
        return outcome;
    }
}
