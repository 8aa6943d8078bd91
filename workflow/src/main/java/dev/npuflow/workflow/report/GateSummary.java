package dev.npuflow.workflow.report;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.gate.DistributionCheck;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.Verdict;
import java.util.List;
import java.util.Optional;

/// A verification without its tokens: what the ledger keeps beside the report's path.
///
/// @param distribution over all prompts; empty where it was not judged
public record GateSummary(Verdict verdict, String reason, int k, int tokens, List<PromptOutcome> prompts, Optional<DistributionCheck> distribution) {

    public GateSummary {
        prompts = List.copyOf(prompts);
    }

    public static GateSummary of(GateResult result) {
        return new GateSummary(result.verdict(), result.reason(), result.rules().k(), result.rules().tokens(),
                result.prompts().stream().map(PromptOutcome::of).toList(), result.distribution());
    }

    public String toJson() {
        return CanonicalJson.write(this);
    }
}
