package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.gate.PromptCheck;
import dev.npuflow.workflow.gate.StepCheck;

/// One prompt under both rules, as the ledger keeps it and the document shows it.
///
/// @param upstreamText  where the two sides first differ, or why the rule failed
/// @param everyStepText how many steps differ, or why the rule failed
public record PromptOutcome(int prompt, int steps, boolean upstream, String upstreamText, boolean everyStep, String everyStepText) {

    static PromptOutcome of(PromptCheck check) {
        String first = check.firstDivergence().map(PromptOutcome::place).orElse("no difference");
        String all = format(ROOT, "%d of %d steps differ", check.divergences().size(), check.steps());
        return new PromptOutcome(check.index(), check.steps(), check.upstreamPassed(), check.upstreamReason().orElse(first),
                check.everyStepPassed(), check.everyStepReason().orElse(all));
    }

    private static String place(StepCheck step) {
        return format(ROOT, "step %d: NPU %d (#%d), reference %d (#%d)", step.step(), step.testChosen(), step.testRank().orElse(0),
                step.referenceChosen(), step.referenceRank().orElse(0));
    }
}
