package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.ledger.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The commands as scripts call them, on a copy of tiny_kjv outside the tree after its Phase 5.
class CommandsTest {

    private static final List<String> MODEL_FILES = List.of("config.json", "generation_config.json", "model.safetensors", "tokenizer.json");

    @TempDir static Path folder;
    private static String model;
    private static String workspace;
    private static CommandRun phase5;

    @BeforeAll static void deploy() throws IOException {
        Path copy = Files.createDirectories(folder.resolve("my_model"));
        for (String file : MODEL_FILES) {
            Files.copy(TinyKjv.directory().resolve(file), copy.resolve(file));
        }
        Files.copy(TinyKjv.directory().resolve("prompts.txt"), copy.resolve("judged.txt"));
        Files.writeString(copy.resolve("model.yaml"), "prompts: judged.txt\n");
        model = copy.toString();
        workspace = folder.resolve("workspace").toString();
        phase5 = on("phase5", "--json");
    }

    private static CommandRun on(String command, String... more) {
        return CommandRun.of(Stream.concat(Stream.of(command, model, "--workspace", workspace), Stream.of(more)).toArray(String[]::new));
    }

    @Test void phase5_keeps_the_skills_that_gain_and_skips_fusing_and_layout() {
        assertEquals(0, phase5.exitCode(), phase5.err());
        JsonNode json = phase5.json();
        assertEquals("PASS", json.get("status").asString());
        assertEquals(List.of("opt-merge-multi-launch-kernels applied", "opt-fuse-decode-ffn skipped", "opt-herd-sizing applied", "opt-buffer-object-reuse applied",
                "opt-layout-alignment skipped"),
                json.get("skills").valueStream().map(skill -> skill.get("name").asString() + " " + skill.get("outcome").asString()).toList());
        assertTrue(json.get("final").get("ms_per_token").asDouble() < json.get("baseline").get("ms_per_token").asDouble());
        assertEquals(json.get("speedup").asDouble(), json.get("baseline").get("ms_per_token").asDouble() / json.get("final").get("ms_per_token").asDouble(), 1e-9);
    }

    @Test void the_document_of_a_model_outside_the_tree_stands_in_the_workspace() throws IOException {
        Path document = Path.of(phase5.json().get("document").asString()).toAbsolutePath().normalize();
        assertTrue(document.startsWith(Path.of(workspace).toAbsolutePath()), document::toString);
        assertTrue(Files.readString(document).contains("| opt-buffer-object-reuse | applied |"));
        assertFalse(Files.exists(Path.of(model, "docs")));
    }

    @Test void profile_runs_the_kept_plan_and_adds_up() {
        JsonNode json = on("profile", "-n", "32", "--ignore-eos", "--json").json();
        assertEquals(phase5.json().get("final").get("plan").asString(), json.get("plan").asString());
        assertEquals(phase5.json().get("final").get("ms_per_token").asDouble(), json.get("ms_per_token").asDouble());
        double decode = Stream.of("calls", "host_ops").flatMap(group -> json.get(group).valueStream())
                .filter(step -> step.get("phase").asString().equals("decode")).mapToDouble(step -> step.get("total_ms").asDouble()).sum();
        assertEquals(json.get("ms_per_token").asDouble() * json.get("decoded_tokens").asInt(), decode, 1e-6);
    }

    @Test void plan_baseline_overrides_the_kept_plan() {
        JsonNode baseline = on("plan", "--plan", "baseline", "--json").json();
        JsonNode kept = on("plan", "--json").json();
        assertEquals(phase5.json().get("final").get("plan").asString(), kept.get("hash").asString());
        assertNotEquals(kept.get("hash").asString(), baseline.get("hash").asString());
        assertTrue(baseline.get("calls_per_token").asInt() > kept.get("calls_per_token").asInt());
    }

    @Test void phase5_started_from_the_plan_that_phase4_left() {
        JsonNode phase4 = on("phase4", "--json").json();
        assertEquals("PASS", phase4.get("status").asString());
        assertEquals(phase4.get("final").get("plan").asString(), phase5.json().get("baseline").get("plan").asString());
        assertTrue(phase4.get("final").get("prefill_kernel_ms").asDouble() < phase4.get("baseline").get("prefill_kernel_ms").asDouble());
    }

    @Test void an_earlier_phase_that_has_not_passed_is_an_error_where_it_may_not_be_run() {
        CommandRun run = CommandRun.of("phase5", model, "--workspace", folder.resolve("fresh").toString(), "--no-prerequisites");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("NPF-813 phase 3"), run.err());
    }

    @Test void a_dry_run_of_a_phase_is_no_phase_that_passed() {
        String fresh = folder.resolve("dry").toString();
        CommandRun dry = CommandRun.of("phase4", model, "--workspace", fresh, "--dry-run");
        assertEquals(0, dry.exitCode(), dry.err());
        CommandRun run = CommandRun.of("phase5", model, "--workspace", fresh, "--no-prerequisites");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("NPF-813 phase 4"), run.err());
    }

    /// tiny_kjv has 512 positions; outside the tree the canonical prompt is upstream's, 14 tokens.
    @Test void more_tokens_than_positions_are_refused_and_the_most_that_fit_are_named() {
        CommandRun profile = on("profile", "-n", "511");
        assertTrue(profile.err().contains("NPF-806 prompt, first token and decoded tokens (14 + 1 + 511)") && profile.err().contains("-n 497"), profile.err());
        assertEquals(0, on("profile", "-n", "497").exitCode());
        CommandRun generate = on("generate", "--engine", "npu", "--ids", "1,2", "-n", "511");
        assertTrue(generate.err().contains("NPF-806 prompt and new tokens (2 + 511)") && generate.err().contains("-n 510"), generate.err());
    }

    @Test void report_writes_the_documents_again_and_measures_nothing() throws IOException {
        Path document = Path.of(phase5.json().get("document").asString()).toAbsolutePath();
        Path picture = document.resolveSibling("phase5_decode.svg");
        String text = Files.readString(document);
        String drawn = Files.readString(picture);
        assertTrue(text.contains("(phase5_decode.svg)"), text);
        Files.delete(document);
        Files.writeString(picture, "a person's own drawing");
        CommandRun report = on("report", "--json");
        assertEquals(0, report.exitCode(), report.err());
        assertEquals(List.of("phase3_full.md", "phase4_prefill.md", "phase5_decode.md"),
                report.json().get("documents").valueStream().map(path -> Path.of(path.asString()).getFileName().toString()).toList());
        assertEquals(text, Files.readString(document));
        assertEquals(drawn, Files.readString(picture));
    }

    @Test void there_is_no_report_of_what_was_never_run() {
        CommandRun run = CommandRun.of("report", model, "--workspace", folder.resolve("nothing").toString());
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("NPF-532 "), run.err());
    }

    @Test void verify_reports_every_rule_on_all_prompts_of_a_small_model_and_passes() throws IOException {
        CommandRun verify = on("verify", "--json");
        assertEquals(0, verify.exitCode(), verify.err());
        JsonNode json = verify.json();
        assertEquals("PASS", json.get("verdict").asString());
        assertEquals(8, json.get("upstream").get("passed").asInt());
        assertEquals(8, json.get("every_step").get("passed").asInt());
        assertEquals("OK", json.get("distribution").get("status").asString());
        String report = Files.readString(Path.of(json.get("report").asString()));
        assertTrue(report.contains("\"topk_checks\"") && report.contains("judged.txt of my_model"), report);
    }

    @Test void the_npu_and_the_reference_say_the_same_where_margins_are_wide() {
        String[] prompt = {"--prompt", "In the beginning God created the heaven", "-n", "4", "--json"};
        assertEquals(generated("reference", prompt), generated("npu", prompt));
    }

    private static List<Integer> generated(String engine, String... prompt) {
        CommandRun run = on("generate", Stream.concat(Stream.of("--engine", engine), Stream.of(prompt)).toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.err());
        return run.json().get("ids").valueStream().map(JsonNode::asInt).toList();
    }

    static Stream<List<String>> faults() {
        return Stream.of(
                List.of("phase5", "no_such_model"),
                List.of("phase5", model, "--workspace", workspace, "--only", "no-such-skill"),
                List.of("phase5", model, "--workspace", workspace, "--target", "moon"),
                List.of("phase5", model, "--workspace", workspace, "--resume"),
                List.of("phase5", model, "--workspace", workspace, "--device", "no_such_device"),
                List.of("phase5", model, "--workspace", workspace, "--set", "dram.read_gbps=-1"),
                List.of("profile", model, "--workspace", workspace, "-n", "100000"),
                List.of("profile", model, "--workspace", workspace, "--plan", "last_week"),
                List.of("verify", model, "--workspace", workspace, "--gate-file", "missing.json"),
                List.of("generate", model, "--workspace", workspace, "--ids", "1,99999"),
                List.of("generate", model, "--workspace", workspace, "--ids", "1", "--prompt", "x"),
                List.of("generate", model, "--workspace", workspace, "--engine", "abacus"),
                List.of("no-such-command"));
    }

    @ParameterizedTest @MethodSource("faults") void bad_input_exits_2_with_one_readable_line(List<String> arguments) {
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        assertEquals(2, run.exitCode(), run.err());
        assertEquals("", run.out());
        assertTrue(run.err().startsWith("NPF-"), run.err());
        assertFalse(run.err().contains("\tat "), run.err());
    }

    /// What Ctrl-C leaves in Phase 3, when it was phase5 that ran it first; --no-prerequisites keeps the test from running it again.
    @Test void resume_of_phase5_accepts_an_interrupted_phase_3_and_resume_of_phase3_does_not_accept_an_interrupted_phase_5() {
        Path left = folder.resolve("interrupted");
        assertEquals("NPF-813", resumed("phase5", begun(left.resolve("early"), GatedPhase.FULL_MODEL)));
        assertEquals("NPF-811", resumed("phase3", begun(left.resolve("late"), GatedPhase.DECODE)));
    }

    private static Path begun(Path at, GatedPhase phase) {
        try (TinyKjv tiny = TinyKjv.open(at); Ledger ledger = Ledger.open(at)) {
            RunKey key = tiny.key();
            ledger.setStatus(ledger.beginRun(new RunKey(key.model(), phase, key.device()), new TreeMap<>()), RunStatus.INTERRUPTED);
        }
        return at;
    }

    private static String resumed(String command, Path at) {
        CommandRun run = CommandRun.of(command, TinyKjv.directory().toString(), "--workspace", at.toString(), "--resume", "--no-prerequisites");
        assertEquals(2, run.exitCode(), run.err());
        return run.err().substring(0, "NPF-811".length());
    }
}
