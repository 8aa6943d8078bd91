package dev.npuflow.workflow.report;

import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.PromptCheck;
import dev.npuflow.workflow.gate.StepCheck;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The verify report as JSON: upstream's keys in upstream's order (docs/upstream.md, "Verify report"), then ours — the verdict, the every-step rule, the rule of the distribution,
/// and all tokens of both sides, which upstream's report never holds. `status` and `fail_reason` are upstream's rule's, but a comparison that
/// cannot count is a FAIL here.
public final class VerifyJson {

    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final VerifySubject subject;
    private final GateResult result;
    private final TokenText text;

    private VerifyJson(VerifySubject subject, GateResult result) {
        this.subject = subject;
        this.result = result;
        this.text = new TokenText(subject);
    }

    public static String render(VerifySubject subject, GateResult result) {
        return MAPPER.writeValueAsString(new VerifyJson(subject, result).report()) + "\n";
    }

    private ObjectNode report() {
        ObjectNode json = MAPPER.createObjectNode();
        ObjectNode config = json.putObject("config");
        config.put("mode", "verify").put("runner", subject.runner()).put("model", subject.model()).put("model_name", subject.modelName());
        config.put("npu_attn", subject.npuAttention()).putNull("prompt").put("prompts_file", subject.promptsFile().orElse(null));
        config.put("max_prompts", boxed(subject.maxPrompts()));
        json.set("prompts", subject.prompts().isEmpty() ? null : MAPPER.valueToTree(subject.prompts()));
        json.putArray("per_layer");
        json.set("topk_checks", result.prompts().isEmpty() ? null : MAPPER.valueToTree(result.prompts().stream().map(this::check).toList()));
        long passed = result.upstreamPassed();
        long everyStep = result.everyStepPassed();
        int all = result.prompts().size();
        json.putObject("summary").put("n_layer_records", 0).put("topk_passed", passed).put("topk_failed", all - passed)
                .put("every_step_passed", everyStep).put("every_step_failed", all - everyStep);
        DistributionJson.decided(json.putObject("distribution"), result.distribution());
        json.put("verdict", result.verdict().name()).put("reason", result.reason()).put("plan", subject.plan()).put("source", subject.source());
        return json;
    }

    private ObjectNode check(PromptCheck check) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("pair", "npu_vs_hf").put("prompt_idx", check.index()).put("prompt_text", text.prompt(check.index()));
        json.put("n_steps", check.steps()).put("k", result.rules().k());
        Optional<StepCheck> at = check.firstDivergence();
        json.put("divergence_step", at.map(StepCheck::step).orElse(null));
        json.put("test_chosen_at_div", at.map(StepCheck::testChosen).orElse(null));
        json.put("ref_chosen_at_div", at.map(StepCheck::referenceChosen).orElse(null));
        json.set("test_topk_at_div", ids(at.map(StepCheck::testTopK)));
        json.set("ref_topk_at_div", ids(at.map(StepCheck::referenceTopK)));
        json.put("status", check.upstreamPassed() ? "OK" : "FAIL").put("fail_reason", check.upstreamReason().orElse(null));
        json.put("test_chosen_rank_in_ref", at.map(step -> boxed(step.testRank())).orElse(null));
        json.put("ref_chosen_rank_in_test", at.map(step -> boxed(step.referenceRank())).orElse(null));
        json.put("test_chosen_text_at_div", at.map(step -> text.quoted(step.testChosen())).orElse(null));
        json.put("ref_chosen_text_at_div", at.map(step -> text.quoted(step.referenceChosen())).orElse(null));
        json.put("agreed_prefix_text", at.map(step -> text.agreedPrefix(check, step)).orElse(null));
        json.set("every_step", everyStep(check));
        DistributionJson.figures(json.putObject("distribution"), check.distribution());
        json.set("test_tokens", MAPPER.valueToTree(check.npu().chosen()));
        json.set("ref_tokens", MAPPER.valueToTree(check.reference().chosen()));
        return json;
    }

    private ObjectNode everyStep(PromptCheck check) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("status", check.everyStepPassed() ? "OK" : "FAIL").put("fail_reason", check.everyStepReason().orElse(null));
        json.put("n_divergences", check.divergences().size()).put("n_failed_steps", check.failedSteps());
        json.put("first_failed_step", check.firstFailure().map(StepCheck::step).orElse(null));
        json.put("min_margin", check.minimumMargin().isPresent() ? (Double) check.minimumMargin().getAsDouble() : null);
        json.set("divergences", MAPPER.valueToTree(check.divergences().stream().map(VerifyJson::step).toList()));
        return json;
    }

    private static ObjectNode step(StepCheck step) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("step", step.step()).put("test_chosen", step.testChosen()).put("ref_chosen", step.referenceChosen());
        json.put("test_chosen_rank_in_ref", boxed(step.testRank())).put("ref_chosen_rank_in_test", boxed(step.referenceRank()));
        json.set("test_topk", ids(Optional.of(step.testTopK())));
        json.set("ref_topk", ids(Optional.of(step.referenceTopK())));
        return json;
    }

    private static @Nullable JsonNode ids(Optional<List<Integer>> ids) {
        return ids.<JsonNode>map(MAPPER::valueToTree).orElse(null);
    }

    private static @Nullable Integer boxed(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : null;
    }
}
