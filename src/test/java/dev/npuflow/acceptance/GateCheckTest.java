package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.gate.DistributionCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The judge is judged: what is wrong does not pass, what is right does.
class GateCheckTest {

    @TempDir static Path workspace;

    /// Six copies, of which three have the reference's five best ids at every step: only the distribution tells.
    @Test void a_dropped_head_is_caught_and_tokens_alone_do_not_catch_it() {
        JsonNode score = score("a head dropped");
        assertEquals(6, score.get("injected").asInt());
        assertEquals(6, score.get("caught").asInt());
        assertTrue(score.get("caught_by_tokens").asInt() < 6);
        assertEquals(0, score.get("right").asInt());
    }

    @Test void what_lies_beyond_the_limit_is_caught_and_nothing_else_is() {
        JsonNode score = score("number format");
        assertTrue(score.get("injected").asInt() >= 9);
        for (JsonNode control : score.get("controls")) {
            boolean caught = !control.get("answer").asString().equals("passed");
            assertEquals(control.get("ratio").asDouble() > DistributionCheck.FACTOR || !control.get("answer").asString().equals("distribution") && caught, caught,
                    control::toString);
        }
        assertTrue(score.get("caught").asInt() < score.get("injected").asInt(), "8 bits a weight cost less than bf16 itself");
    }

    @Test void plans_of_the_built_in_skills_raise_no_false_alarm() {
        JsonNode score = score("skills in a row");
        assertTrue(score.get("right").asInt() >= 5);
        assertEquals(0, score.get("false_alarms").asInt());
        assertEquals(0, score.get("injected").asInt());
    }

    /// In a model that norms Q and K by head, a scaled projection is no fault: the norm takes it back, and what is scaled must be the norm.
    @Test void a_value_that_is_normed_is_scaled_behind_its_norm() {
        Path qwen3 = Path.of(System.getProperty("npuflow.root"), "workflow/src/test/resources/cases/a18/qwen3");
        CommandRun run = CommandRun.of("gate-check", qwen3.toString(), "--only", "K × 2", "--json", "--workspace", workspace.toString());
        assertEquals(0, run.exitCode(), run.err());
        assertEquals(run.json().get("injected"), run.json().get("caught"), run.out());
    }

    /// 64 positions: none of the wrong deployments was caught, for none was judged.
    @Test void prompts_that_the_reference_cannot_read_are_a_fault_and_no_score() {
        Path narrow = Path.of(System.getProperty("npuflow.root"), "workflow/src/test/resources/cases/e05/prompt_beyond_original");
        CommandRun run = CommandRun.of("gate-check", narrow.toString(), "--only", "a head dropped", "--json", "--workspace", workspace.toString());
        assertEquals(2, run.exitCode(), run.out());
        assertTrue(run.err().contains("NPF-163"), run.err());
    }

    @Test void a_text_that_no_control_holds_is_refused() {
        CommandRun run = CommandRun.of("gate-check", TinyKjv.directory().toString(), "--only", "no such", "--workspace", workspace.toString());
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("NPF-839"), run.err());
    }

    private static JsonNode score(String only) {
        CommandRun run = CommandRun.of("gate-check", TinyKjv.directory().toString(), "--only", only, "--json", "--workspace", workspace.toString());
        assertEquals(0, run.exitCode(), run.err());
        return run.json();
    }

    @Test void a_copy_with_a_doubled_projection_fails_against_its_original_and_an_equal_copy_passes(@TempDir Path folder) throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy"));
        for (String file : new String[] {"config.json", "generation_config.json", "model.safetensors"}) {
            Files.copy(TinyKjv.directory().resolve(file), copy.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        CommandRun same = verify(copy);
        assertEquals(0, same.exitCode(), same.err());
        assertEquals("OK", same.json().get("distribution").get("status").asString());
        doubled(copy.resolve("model.safetensors"), "model.layers.2.self_attn.k_proj.weight");
        CommandRun doubled = verify(copy);
        assertEquals(1, doubled.exitCode(), doubled.err());
        assertEquals("GATE_FAIL", doubled.json().get("verdict").asString());
        assertTrue(doubled.json().get("distribution").get("ratio").asDouble() > 100);
        String report = Files.readString(Path.of(doubled.json().get("report").asString()));
        assertTrue(report.contains("against tiny_kjv (weights "), report);
        assertFalse(CommandRun.of("verify", copy.toString(), "--workspace", workspace.toString()).exitCode() == 1, "alone, it is its own reference");
    }

    @Test void two_vocabularies_are_refused(@TempDir Path folder) throws IOException {
        CommandRun run = CommandRun.of("verify", SmallModel.copyTo(folder.resolve("a").resolve("small")).toString(), "--reference",
                TinyKjv.directory().toString(), "--workspace", workspace.toString());
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("NPF-838") && run.err().contains("32"), run.err());
    }

    private static CommandRun verify(Path copy) {
        return CommandRun.of("verify", copy.toString(), "--reference", TinyKjv.directory().toString(), "--json", "--workspace", workspace.toString());
    }

    /// Adds 1 to the exponent of every value.
    private static void doubled(Path file, String tensor) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int header = Math.toIntExact(content.getLong(0));
        JsonNode offsets = JsonMapper.shared().readTree(bytes, 8, header).get(tensor).get("data_offsets");
        for (int at = 8 + header + offsets.get(0).asInt(); at < 8 + header + offsets.get(1).asInt(); at += 2) {
            int value = content.getShort(at) & 0xffff;
            content.putShort(at, (short) ((value & 0x7f80) == 0 ? value : value + 0x80));
        }
        Files.write(file, bytes);
    }
}
