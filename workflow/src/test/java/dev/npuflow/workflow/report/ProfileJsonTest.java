package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.measurement.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ProfileJsonTest {

    private static final Profile PROFILE = SampleProfile.of(4);

    @Test void a_summary_comes_back_from_the_ledgers_form_unchanged_and_other_text_does_not() {
        ProfileSummary summary = ProfileSummary.of(PROFILE);
        assertEquals(summary, CanonicalJson.read(summary.toJson(), ProfileSummary.class));
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.read("{}", ProfileSummary.class));
    }

    @Test void summing_loses_nothing() {
        ProfileSummary summary = ProfileSummary.of(PROFILE);
        assertEquals(PROFILE.decodeTime(), summary.decodeTime());
        assertEquals(PROFILE.prefillTime(), summary.prefillTime());
        assertEquals(PROFILE.millisecondsPerToken(), summary.millisecondsPerToken());
    }

    @Test void calls_and_host_operations_add_up_to_the_time_a_token() {
        JsonNode json = ProfileJson.of(ProfileSummary.of(PROFILE));
        double sum = 0;
        for (String part : List.of("calls", "host_ops")) {
            for (JsonNode step : json.get(part)) {
                sum += "decode".equals(step.get("phase").asString()) ? step.get("total_ms").asDouble() : 0;
            }
        }
        assertEquals(json.get("ms_per_token").asDouble() * 4, sum, 1e-9);
        assertEquals(33, json.get("xrt_calls_per_token").asDouble());
        assertEquals(List.of(791, 1, 2, 3, 4), json.get("ids").values().stream().map(JsonNode::asInt).toList());
    }

    @Test void names_what_scripts_rely_on() {
        JsonNode json = ProfileJson.of(ProfileSummary.of(PROFILE));
        assertEquals(List.of("model", "device", "plan", "source", "ms_per_token", "tokens_per_s", "ttft_s", "prepare_s", "preloaded_bytes", "layers",
                "prompt_tokens", "padded_prompt_tokens", "decoded_tokens", "xrt_calls_per_token", "calls", "host_ops", "ids"),
                List.copyOf(json.propertyNames()));
        assertEquals("simulated on npu2, uncalibrated", json.get("source").asString());
    }
}
