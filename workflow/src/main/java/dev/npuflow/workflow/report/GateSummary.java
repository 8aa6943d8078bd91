package dev.npuflow.workflow.report;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.Verdict;
import java.util.List;

/// A verification without its tokens: what the ledger keeps beside the report's path.
public record GateSummary(Verdict verdict, String reason, int k, int tokens, List<PromptOutcome> prompts) {

    public GateSummary {
        prompts = List.copyOf(prompts);
    }

    public static GateSummary of(GateResult result) {
        return new GateSummary(result.verdict(), result.reason(), result.rules().k(), result.rules().tokens(),
                result.prompts().stream().map(PromptOutcome::of).toList());
    }

    public String toJson() {
        return CanonicalJson.write(this);
    }
}
