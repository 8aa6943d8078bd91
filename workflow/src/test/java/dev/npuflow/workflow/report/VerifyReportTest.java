package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerifyReportTest {

    private static final VerifySubject SUBJECT = SampleGate.subject("Introduce me what is GPU", "Explain | how ...", "x".repeat(61));
    private static final JsonNode REPORT = JsonMapper.builder().build().readTree(VerifyJson.render(SUBJECT, SampleGate.result(3)));
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-08-01T10:15:00Z"), ZoneOffset.UTC);

    private static List<String> names(JsonNode node) {
        return List.copyOf(node.propertyNames());
    }

    @Test void the_json_has_upstreams_keys_in_upstreams_order_and_ours_behind() {
        assertEquals(List.of("config", "prompts", "per_layer", "topk_checks", "summary", "distribution", "verdict", "reason", "plan", "source"), names(REPORT));
        assertEquals(List.of("mode", "runner", "model", "model_name", "npu_attn", "prompt", "prompts_file", "max_prompts"),
                names(REPORT.get("config")));
        assertEquals(List.of("pair", "prompt_idx", "prompt_text", "n_steps", "k", "divergence_step", "test_chosen_at_div", "ref_chosen_at_div",
                "test_topk_at_div", "ref_topk_at_div", "status", "fail_reason", "test_chosen_rank_in_ref", "ref_chosen_rank_in_test",
                "test_chosen_text_at_div", "ref_chosen_text_at_div", "agreed_prefix_text", "every_step", "distribution", "test_tokens", "ref_tokens"),
                names(REPORT.get("topk_checks").get(0)));
        assertEquals("{\"n_layer_records\":0,\"topk_passed\":2,\"topk_failed\":1,\"every_step_passed\":2,\"every_step_failed\":1}",
                REPORT.get("summary").toString());
        assertEquals("GATE_FAIL", REPORT.get("verdict").asString());
    }

    @Test void the_distribution_is_reported_with_value_noise_and_ratio_over_all_and_of_each_prompt() {
        GateResult judged = SampleGate.distributed();
        JsonNode json = JsonMapper.builder().build().readTree(VerifyJson.render(SUBJECT, judged));
        assertEquals("{\"status\":\"FAIL\",\"mean_kl\":0.004,\"noise\":0.001,\"ratio\":4.0,\"largest_kl\":0.02,\"largest_noise\":0.005,\"limit\":3.0}",
                json.get("distribution").toString());
        assertEquals(0.004, json.get("topk_checks").get(0).get("distribution").get("mean_kl").asDouble());
        String markdown = VerifyMarkdown.render(SUBJECT, judged);
        assertTrue(markdown.contains("| 0 | 4.000e-03 | 1.000e-03 | 4.00 | 2.000e-02 | 5.000e-03 |"), markdown);
        assertTrue(markdown.contains("Distribution: FAIL, mean KL 4.00e-03 is 4.00 × the bf16 noise of 1.00e-03, at most 3 ×"), markdown);
        assertEquals(judged.distribution(), CanonicalJson.read(GateSummary.of(judged).toJson(), GateSummary.class).distribution());
    }

    @Test void a_distribution_that_was_not_measured_is_not_judged_and_has_no_figures() {
        assertEquals("{\"status\":\"not judged\",\"mean_kl\":null,\"noise\":null,\"ratio\":null,\"largest_kl\":null,\"largest_noise\":null,\"limit\":3.0}",
                REPORT.get("distribution").toString());
        assertTrue(VerifyMarkdown.render(SUBJECT, SampleGate.pass()).contains("not judged"));
    }

    @Test void a_divergence_is_recorded_with_ranks_and_texts() {
        JsonNode check = REPORT.get("topk_checks").get(0);
        assertEquals(9, check.get("divergence_step").asInt());
        assertEquals("[1019,19,5,6,7]", check.get("test_topk_at_div").toString());
        assertEquals("OK", check.get("status").asString());
        assertTrue(check.get("fail_reason").isNull());
        assertEquals(2, check.get("test_chosen_rank_in_ref").asInt());
        assertEquals("\" a\"", check.get("test_chosen_text_at_div").asString());
        assertEquals("\"A GPU isAAAAAA\"", check.get("agreed_prefix_text").asString());
        assertEquals(32, check.get("ref_tokens").size());
    }

    @Test void a_failing_side_has_a_null_rank_and_a_reason() {
        JsonNode check = REPORT.get("topk_checks").get(1);
        assertEquals("FAIL", check.get("status").asString());
        assertTrue(check.get("test_chosen_rank_in_ref").isNull());
        assertEquals(2, check.get("ref_chosen_rank_in_test").asInt());
        assertEquals("test chose 99999 but it is not in ref top-5 ([54, 1054, 2054, 3054, 4054])", check.get("fail_reason").asString());
        assertEquals(4, check.get("every_step").get("first_failed_step").asInt());
    }

    @Test void without_a_divergence_every_field_of_it_is_null() {
        JsonNode check = REPORT.get("topk_checks").get(2);
        for (String name : names(check)) {
            if (name.contains("_at_div") || name.contains("rank") || name.startsWith("agreed") || "divergence_step".equals(name)) {
                assertTrue(check.get(name).isNull(), name);
            }
        }
        assertEquals("x".repeat(60) + "…", check.get("prompt_text").asString());
        assertEquals("x".repeat(61), REPORT.get("prompts").get(2).asString());
    }

    @Test void nothing_compared_leaves_null_and_never_a_pass() {
        GateResult none = GateResult.withoutComparison(Verdict.VACUOUS, "nothing", GateRules.UPSTREAM);
        JsonNode report = JsonMapper.builder().build().readTree(VerifyJson.render(SampleGate.subject(), none));
        assertTrue(report.get("topk_checks").isNull());
        assertTrue(report.get("prompts").isNull());
        assertTrue(VerifyMarkdown.render(SampleGate.subject(), none).contains("Result: **VACUOUS**"));
    }

    @Test void the_markdown_is_upstreams() {
        String markdown = VerifyMarkdown.render(SampleGate.subject("Introduce me what is GPU", "Explain | how ..."), SampleGate.result(2));
        assertTrue(markdown.contains("""
                Top-k token gate: 1 PASS / 1 FAIL (across 2 prompt-pair checks)
                """), markdown);
        assertTrue(markdown.contains("""
                ## Prompts

                | # | Prompt |
                |--:|--------|
                | 0 | Introduce me what is GPU |
                | 1 | Explain \\| how ... |

                ## Top-k token inclusion — npu_vs_hf (k=5, 1/2 PASS)

                | # | Prompt | Steps | Diverge step | NPU choice (rank in HF) | HF choice (rank in NPU) | Status |
                |--:|--------|------:|-------------:|---------|---------|:-------|
                | 0 | Introduce me what is GPU | 32 | 9 | " a" (#2) | " the" (#2) | OK |
                | 1 | Explain \\| how ... | 32 | 4 | " a\\n\\|" (✗) | "?" (#2) | FAIL |

                *Prompt 0 agreed prefix (steps 0-8):* "A GPU isAAAAAA"

                *Prompt 1 FAIL:* test chose 99999 but it is not in ref top-5 ([54, 1054, 2054, 3054, 4054])

                _1/2 prompts failed top-5 inclusion at first divergence._
                """), markdown);
        assertTrue(markdown.startsWith("# Verify report\n\nConfig: mode=verify, runner=npuflow.sim, model=llama32_1b, "), markdown);
        assertTrue(markdown.contains("Result: **FAIL**\n"), markdown);
    }

    @Test void a_prompt_without_a_divergence_says_all_match() {
        String markdown = VerifyMarkdown.render(SampleGate.subject("p"), SampleGate.pass());
        assertTrue(markdown.contains("| 0 | p | 32 | — | (all match) | (all match) | OK |"), markdown);
        assertFalse(markdown.contains("failed top-5"), markdown);
    }

    @Test void two_reports_of_one_second_do_not_overwrite_each_other(@TempDir Path directory) throws Exception {
        VerifyReport.Files first = VerifyReport.write(directory, SUBJECT, SampleGate.result(3), CLOCK);
        VerifyReport.Files second = VerifyReport.write(directory, SampleGate.subject("p"), SampleGate.pass(), CLOCK);
        assertEquals("verify_topk_token_20260801-101500.json", first.json().getFileName().toString());
        assertEquals("verify_topk_token_20260801-101500-2.md", second.markdown().getFileName().toString());
        assertEquals(VerifyJson.render(SUBJECT, SampleGate.result(3)), Files.readString(first.json()));
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(4, files.count(), "no temporary file is left");
        }
    }

    @Test void a_directory_that_cannot_be_made_is_one_named_fault(@TempDir Path directory) throws Exception {
        Path plain = Files.writeString(directory.resolve("plain"), "");
        NpuflowException fault = assertThrows(NpuflowException.class, () -> VerifyReport.write(plain, SUBJECT, SampleGate.pass(), CLOCK));
        assertEquals("NPF-510", fault.id());
    }

    @Test void the_last_line_is_pass_for_a_pass_only(@TempDir Path directory) {
        VerifyReport.Files files = VerifyReport.write(directory, SUBJECT, SampleGate.pass(), CLOCK);
        List<String> lines = VerifyLines.end(SampleGate.pass(), files);
        assertEquals("[verify] PASS", lines.getLast());
        assertTrue(lines.contains("[verify] JSON:   " + files.json()));
        assertTrue(lines.contains("[verify] Summary: {'n_layer_records': 0, 'topk_passed': 1, 'topk_failed': 0}"));
        assertFalse(VerifyLines.end(SampleGate.result(3), files).contains("[verify] PASS"));
        assertEquals("[verify] FAIL — see report for details.", VerifyLines.failure(SampleGate.result(3)));
    }

    @Test void the_commands_json_names_both_rules_and_the_report(@TempDir Path directory) {
        VerifyReport.Files files = VerifyReport.write(directory, SUBJECT, SampleGate.result(3), CLOCK);
        JsonNode json = VerifyReport.command(SUBJECT, SampleGate.result(3), files);
        assertEquals("GATE_FAIL", json.get("verdict").asString());
        assertEquals(1, json.get("upstream").get("failed").asInt());
        assertEquals("step 9: NPU 1019 (#2), reference 19 (#2)", json.get("upstream").get("prompts").get(0).get("text").asString());
        assertEquals("0 of 32 steps differ", json.get("every_step").get("prompts").get(2).get("text").asString());
        assertEquals(files.json().toString(), json.get("report").asString());
    }

    @Test void a_summary_comes_back_from_the_ledgers_form() {
        GateSummary summary = GateSummary.of(SampleGate.result(3));
        assertEquals(summary, CanonicalJson.read(summary.toJson(), GateSummary.class));
    }
}
