package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.lens.Diagnoser;
import dev.npuflow.workflow.lens.Diagnosis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The lens shows what is wrong in decode too, and finds nothing where nothing is.
class DiagnosisTest {

    @TempDir static Path workspace;

    @Test void the_command_writes_upstream_s_schema_with_decode_steps_behind_it() throws Exception {
        CommandRun run = CommandRun.of("diagnosis", TinyKjv.directory().toString(), "--workspace", workspace.toString(), "--plan", "baseline",
                "--steps", "3", "--json");
        assertEquals(0, run.exitCode(), run.err());
        JsonNode json = run.json();
        assertEquals("diagnosis", json.get("config").get("mode").asString());
        assertEquals(List.of(0, 1, 2, 3), json.get("per_layer").valueStream().map(layer -> layer.get("layer").asInt()).toList());
        JsonNode first = json.get("per_layer").get(0);
        assertEquals("ffn_out", first.get("name").asString());
        assertEquals("npu_vs_hf", first.get("pair").asString());
        assertTrue(first.get("cosine").get("p5").asDouble() > 0.999, first::toString);
        assertTrue(first.get("errors").get("max_abs").asDouble() > 0, "two arithmetics are never the same to the last bit");
        assertEquals(List.of(1, 2, 3), json.get("decode").valueStream().map(step -> step.get("step").asInt()).toList());
        assertEquals(4, json.get("decode").get(2).get("per_layer").size());
        assertTrue(json.get("findings").isEmpty(), json.get("findings")::toString);
        Path report = Path.of(json.get("report").asString());
        assertEquals(json.get("per_layer"), JsonMapper.shared().readTree(Files.readString(report)).get("per_layer"));
        assertTrue(Files.readString(Path.of(report.toString().replace(".json", ".md")))
                .contains("| Layer | cos_p5 | cos_min | cos_median | max_abs |"));
    }

    @Test void a_fault_in_decode_is_a_cliff_in_decode_and_none_in_prefill() throws Exception {
        try (TinyKjv tiny = TinyKjv.open(workspace)) {
            Deployment wrong = assertInstanceOf(Assessment.Proposal.class, BadSkills.staticWeightsUnderOneKey().assess(tiny.target.baseline(),
                    new SkillContext(Phase.DECODE, tiny.target.traits(), new TreeMap<>(), tiny.target.placement(), List.of()))).plan();
            Diagnosis diagnosis = new Diagnoser(tiny.model, tiny.target::open).diagnose(wrong, tiny.prompts.canonical(), 2);
            assertFalse(diagnosis.findings().isEmpty());
            assertTrue(diagnosis.findings().stream().noneMatch(finding -> finding.step() == 0), diagnosis.findings()::toString);
            assertEquals(1, diagnosis.findings().getFirst().layer(), "layer 0's weights are right for layer 0");
        }
    }
}
