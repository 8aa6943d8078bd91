package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `why`, `history` and `ledger verify` on a workspace in which a model was deployed: runs 1 to 3 are the phases, run 4 an ablation, run 5 a dry run.
class RecordedRunsTest {

    @TempDir static Path folder;
    private static Path model;
    private static JsonNode phases;
    private static JsonNode ablation;

    @BeforeAll static void deploy() throws IOException {
        model = SmallModel.copyTo(folder.resolve("models").resolve("small"));
        CommandRun deployed = run("deploy", model.toString(), "--json");
        assertEquals(0, deployed.exitCode(), deployed.err());
        phases = deployed.json();
        CommandRun ablated = run("ablate", model.toString(), "--json");
        assertEquals(0, ablated.exitCode(), ablated.err());
        ablation = ablated.json();
        assertEquals(0, run("phase5", model.toString(), "--dry-run", "--only", "opt-layout-alignment").exitCode());
    }

    private static CommandRun run(String... arguments) {
        return CommandRun.of(Stream.concat(Stream.of(arguments), Stream.of("--workspace", folder.resolve("workspace").toString())).toArray(String[]::new));
    }

    private static JsonNode why(int run) {
        return run("why", Integer.toString(run), "--json").json();
    }

    private static List<String> texts(JsonNode array, String field) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.get(field).asString()));
        return texts;
    }

    @Test void history_lists_every_run_the_newest_last_with_its_times_and_plans() {
        JsonNode runs = run("history", model.toString(), "--json").json().get("runs");
        assertEquals(List.of("phase", "phase", "phase", "ablation", "dry run"), texts(runs, "kind"));
        assertEquals(List.of("PASS", "PASS", "PASS", "PASS", "PASS"), texts(runs, "status"));
        JsonNode phase5 = runs.get(2);
        assertEquals(phases.get(2).get("baseline").get("ms").asDouble(), phase5.get("ms_per_token_before").asDouble());
        assertEquals(phases.get(2).get("final").get("ms").asDouble(), phase5.get("ms_per_token_after").asDouble());
        assertEquals(phases.get(2).get("final").get("plan").asString(), phase5.get("plan").asString());
        List<String> applied = new ArrayList<>();
        phases.get(2).get("skills").forEach(skill -> applied.addAll(skill.get("outcome").asString().equals("applied") ? List.of(skill.get("name").asString()) : List.of()));
        List<String> kept = new ArrayList<>();
        phase5.get("kept").forEach(each -> kept.add(each.asString()));
        assertEquals(applied, kept);
        assertFalse(kept.isEmpty());
        assertEquals(ablation.get("rows").get(0).get("ms_per_token").asDouble(), runs.get(3).get("ms_per_token_before").asDouble());
        assertTrue(phase5.get("build").asString().matches("npuflow \\S+ [0-9a-f]{64}"));
        CommandRun text = run("history", model.toString());
        assertTrue(text.out().contains("phase 5") && text.out().contains("ablation") && text.out().contains(phase5.get("plan").asString().substring(0, 12)), text.out());
    }

    @Test void why_tells_what_made_a_run_necessary_and_from_which_plan_it_started() {
        assertEquals("no run of this kind had passed before it", why(3).get("because").asString());
        assertEquals(2, why(3).get("start_left_by").asInt());
        assertEquals(why(2).get("left_plan").asString(), why(3).get("start_plan").asString());
        assertTrue(why(1).get("start_left_by").isNull());
        assertEquals(phases.get(2).get("final").get("plan").asString(), why(3).get("left_plan").asString());
        assertTrue(why(4).get("left_plan").isNull(), "an ablation leaves no plan");
    }

    @Test void why_tells_of_every_attempt_its_decision_reason_figures_and_verdicts() {
        JsonNode attempts = why(3).get("attempts");
        JsonNode skills = phases.get(2).get("skills");
        assertEquals(1 + skills.size(), attempts.size());
        for (int i = 0; i < skills.size(); i++) {
            JsonNode told = attempts.get(i + 1);
            JsonNode skill = skills.get(i);
            assertEquals(skill.get("name").asString(), told.get("skill").asString());
            assertEquals(skill.get("outcome").asString().replace("applied", "kept"), told.get("decision").asString());
            assertEquals(skill.get("reason_code").asString(), told.get("reason_code").asString());
            assertEquals(skill.get("reason").asString(), told.get("reason").asString());
            assertEquals(skill.get("ms_before").asDouble(), told.get("ms_before").asDouble());
            assertEquals(skill.get("ms_after"), told.get("ms_after"));
            if (told.get("decision").asString().equals("kept")) {
                assertTrue(texts(told.get("verdicts"), "verdict").contains("PASS") && told.get("times").size() > 0, told::toString);
            }
        }
        CommandRun text = run("why", "3");
        assertTrue(text.out().contains(": kept, faster") && text.out().contains("PASS, 1 prompts, 32 tokens each") && text.out().contains("why: no run of this kind"), text.out());
    }

    @Test void what_judged_a_run_and_the_code_that_ran_are_recorded_by_content() {
        JsonNode options = why(3).get("options");
        assertTrue(options.get("prompt_ids").asString().matches("[0-9a-f]{64}"));
        assertTrue(options.get("skill_code").asString().matches("\\{(\"[a-z-]+\":\"[0-9a-f]{64}\",?)+}"), options::toString);
        CommandRun version = CommandRun.of("--version");
        assertEquals("npuflow 0.1.0\nbuild " + options.get("build").asString().substring("npuflow 0.1.0 ".length()) + "\n", version.out());
        assertEquals(options.get("build").asString(), why(3).get("attempts").get(0).get("times").get(0).get("build").asString());
    }

    @Test void a_ledger_that_was_not_touched_is_intact_and_its_head_is_in_it() {
        CommandRun verified = run("ledger", "verify", "--json");
        assertEquals(0, verified.exitCode(), verified.out());
        assertTrue(verified.json().get("intact").asBoolean() && verified.json().get("records").asInt() > 50);
        assertEquals(0, run("ledger", "verify", "--head", verified.json().get("head").asString()).exitCode());
        CommandRun other = run("ledger", "verify", "--head", "f00d");
        assertEquals(1, other.exitCode());
        assertTrue(other.out().startsWith("head f00d: no record has this hash"), other.out());
    }

    @Test void a_run_that_is_not_there_and_a_workspace_without_records_are_refused() {
        CommandRun unknown = run("why", "99");
        assertEquals(2, unknown.exitCode());
        assertTrue(unknown.err().startsWith("NPF-614 run (99): expected 1 to "), unknown.err());
        for (List<String> command : List.of(List.of("why", "1"), List.of("history", "tiny_kjv"), List.of("ledger", "verify"))) {
            CommandRun empty = CommandRun.of(Stream.concat(command.stream(), Stream.of("--workspace", folder.resolve("empty").toString())).toArray(String[]::new));
            assertEquals(2, empty.exitCode());
            assertTrue(empty.err().startsWith("NPF-613 "), empty.err());
        }
        assertFalse(Files.exists(folder.resolve("empty")));
        assertEquals("tiny_kjv: no run in this workspace\n", run("history", "tiny_kjv").out());
    }

    @Test void a_resume_with_one_thing_changed_names_it_alone() throws IOException {
        SmallModel.copyTree(folder.resolve("workspace"), folder.resolve("stopped"));
        try (Ledger ledger = Ledger.open(folder.resolve("stopped"))) {
            Run phase5 = ledger.run(new RunId(3));
            RunId stopped = ledger.beginRun(phase5.key(), new TreeMap<>(phase5.options()));
            ledger.setStatus(stopped, RunStatus.INTERRUPTED);
        }
        CommandRun other = CommandRun.of("phase5", model.toString(), "--resume", "--self-check", "off", "--workspace", folder.resolve("stopped").toString());
        assertEquals(2, other.exitCode(), other.err());
        assertTrue(other.err().matches("NPF-812 --resume of run \\d+ \\(self_check false, and was true\\): expected what the interrupted run was begun with; try the same again, or leaving"
                + " --resume out\\R"), other.err());
        CommandRun same = CommandRun.of("phase5", model.toString(), "--resume", "--workspace", folder.resolve("stopped").toString());
        assertEquals(0, same.exitCode(), same.err());
    }
}
