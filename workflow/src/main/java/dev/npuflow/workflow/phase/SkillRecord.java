package dev.npuflow.workflow.phase;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.OptBoolean;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.skill.Evidence;
import dev.npuflow.workflow.decision.DecisionFigures;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.report.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// One skill's experiment, as it is recorded and rendered.
///
/// @param reason            one line for people
/// @param planBefore        hash of the plan it was tried on
/// @param planAfter         hash of the plan it made; empty if it made none
/// @param before            milliseconds of the plan before, in the figure of the phase
/// @param after             milliseconds of the plan it made, if it was measured
/// @param callsBefore       XRT calls a pass
/// @param verdict           of the gate, if it was asked
/// @param blockers          what kept it, or earlier attempts of it, from compiling, one line each
/// @param warnings          the skill's own, and marks that differ from the derived sets, one line each
/// @param revertedTo        hash and milliseconds measured again after a revert; empty where nothing was reverted
/// @param trace             what the skill threw, or where it hangs, one line each; a ledger from before this field has none
/// @param evidence          what the skill says of its change; a ledger from before this field has none
/// @param comparison        what the decision rests on, on a target that varies; left out elsewhere
public record SkillRecord(String skill, ReasonCode code, String reason, String planBefore, Optional<String> planAfter, double before,
        OptionalDouble after, long callsBefore, long callsAfter, Optional<SelfCheck> selfCheck, Optional<Verdict> verdict, List<String> blockers,
        List<String> warnings, Optional<Revert> revertedTo,
        @JacksonInject(value = CanonicalJson.ABSENT_LINES, useInput = OptBoolean.TRUE) List<String> trace,
        @JacksonInject(value = CanonicalJson.ABSENT_RECORDS, useInput = OptBoolean.TRUE) List<Evidence> evidence,
        @JacksonInject(value = CanonicalJson.ABSENT_FIGURES, useInput = OptBoolean.TRUE) @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<DecisionFigures> comparison) {

    public SkillRecord {
        blockers = List.copyOf(blockers);
        warnings = List.copyOf(warnings);
        trace = List.copyOf(trace);
        evidence = List.copyOf(evidence);
    }

    /// The proof of a revert: the plan as the ledger gave it back, compiled and profiled again.
    public record Revert(String plan, double milliseconds) {}

    SkillRecord withRevert(Revert proof) {
        return new SkillRecord(skill, code, reason, planBefore, planAfter, before, after, callsBefore, callsAfter, selfCheck, verdict, blockers,
                warnings, Optional.of(proof), trace, evidence, comparison);
    }

    public Outcome outcome() {
        return code.outcome();
    }
}
