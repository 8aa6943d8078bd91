package dev.npuflow.workflow.report;

import dev.npuflow.workflow.gate.DistributionCheck;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The third rule in JSON, the same wherever it is reported. Divergences are in nats.
final class DistributionJson {

    private DistributionJson() {}

    /// The rule over all prompts: its figures, and `OK`, `FAIL` or `not judged`.
    static void decided(ObjectNode json, Optional<DistributionCheck> check) {
        json.put("status", check.map(judged -> judged.passed() ? "OK" : "FAIL").orElse("not judged"));
        figures(json, check);
        json.put("limit", DistributionCheck.FACTOR);
    }

    /// One prompt's figures; null where there are none.
    static void figures(ObjectNode json, Optional<DistributionCheck> check) {
        json.put("mean_kl", check.map(DistributionCheck::mean).orElse(null)).put("noise", check.map(DistributionCheck::noise).orElse(null));
        json.put("ratio", check.map(DistributionJson::ratio).orElse(null));
        json.put("largest_kl", check.map(DistributionCheck::largest).orElse(null)).put("largest_noise", check.map(DistributionCheck::largestNoise).orElse(null));
    }

    private static @Nullable Double ratio(DistributionCheck check) {
        return Double.isFinite(check.ratio()) ? (Double) check.ratio() : null;
    }
}
