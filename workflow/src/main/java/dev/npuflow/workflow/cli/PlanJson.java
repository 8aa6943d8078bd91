package dev.npuflow.workflow.cli;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A plan as a JSON tree, in its canonical form.
final class PlanJson {

    private PlanJson() {}

    static JsonNode tree(Deployment deployment) {
        return JsonMapper.shared().readTree(CanonicalJson.write(deployment));
    }
}
