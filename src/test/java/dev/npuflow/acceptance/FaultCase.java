package dev.npuflow.acceptance;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lens.Hypothesis;
import dev.npuflow.workflow.lens.Localization;

/// One fault, the plan or the injection that has it, and what is to be found.
///
/// @param fault the fault's row in `docs/faults.md`
record FaultCase(String fault, Deployment plan, InjectedFault.Injection injection, Found found) {

    static FaultCase of(String fault, Deployment plan, Found found) {
        return new FaultCase(fault, plan, watcher -> watcher, found);
    }

    /// @param step     0 for the prefill
    /// @param argument of the call, empty where none is involved
    record Found(Phase phase, int step, int layer, String operator, Hypothesis hypothesis, String argument) {

        static Found of(Localization.Fault fault) {
            return new Found(fault.phase(), fault.step(), fault.layer(), fault.operator(), fault.hypothesis(),
                    fault.involved().map(Localization.Involved::argument).orElse(""));
        }
    }

    static Found inPrefill(int layer, String operator, Hypothesis hypothesis, String argument) {
        return new Found(Phase.PREFILL, 0, layer, operator, hypothesis, argument);
    }

    static Found inDecode(int layer, String operator, Hypothesis hypothesis, String argument) {
        return inDecodeStep(1, layer, operator, hypothesis, argument);
    }

    static Found inDecodeStep(int step, int layer, String operator, Hypothesis hypothesis, String argument) {
        return new Found(Phase.DECODE, step, layer, operator, hypothesis, argument);
    }

    @Override public String toString() {
        return "%s: %s".formatted(fault, found.operator());
    }
}
