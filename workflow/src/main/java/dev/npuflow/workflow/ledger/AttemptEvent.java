package dev.npuflow.workflow.ledger;

import java.util.Optional;

/// One line of an attempt's history.
///
/// @param reasonCode stable, for programs: `does_not_apply`, `gate_fail`, `not_faster`, …
/// @param reason     one line, for people
/// @param planBefore hash of the plan the attempt started from
/// @param planAfter  hash of the plan it made, or, of a KEPT and a REVERTED, of the plan that holds from now on
/// @param details    figures of this step as JSON, `{}` for none
public record AttemptEvent(AttemptState state, String reasonCode, String reason, Optional<String> planBefore, Optional<String> planAfter,
        String details) {

    public static AttemptEvent of(AttemptState state, String reasonCode, String reason) {
        return new AttemptEvent(state, reasonCode, reason, Optional.empty(), Optional.empty(), "{}");
    }

    public AttemptEvent withPlans(String before, String after) {
        return new AttemptEvent(state, reasonCode, reason, Optional.of(before), Optional.of(after), details);
    }

    public AttemptEvent withDetails(String json) {
        return new AttemptEvent(state, reasonCode, reason, planBefore, planAfter, json);
    }
}
