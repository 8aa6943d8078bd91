package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ledger.Ledger;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A plan is asked for by its hash or by enough of its first digits, as text shows them.
@TampersWithLedgers
class PlanByDigitsTest {

    @TempDir Path workspace;
    private Deployment baseline;
    private String recorded;

    @BeforeEach void record() {
        try (TinyKjv tiny = TinyKjv.open(workspace); Ledger ledger = Ledger.open(workspace)) {
            baseline = tiny.target.baseline();
            recorded = ledger.recordPlan(baseline.mapCalls(Phase.DECODE, call -> new NpuCall(call.name() + "_again", call.launches(), call.arguments(), call.bufferKey(),
                    call.options())));
            // Begun, so that the ledger can be read.
            ledger.beginRun(tiny.key(), new TreeMap<>());
        }
    }

    private CommandRun compile(String plan) {
        return CommandRun.of("compile", "tiny_kjv", "--workspace", workspace.toString(), "--plan", plan, "--json");
    }

    @Test void eight_digits_or_more_name_a_recorded_plan_in_either_case() {
        for (String digits : List.of(recorded, recorded.substring(0, 8), recorded.substring(0, 12), recorded.substring(0, 12).toUpperCase(Locale.ROOT))) {
            CommandRun run = compile(digits);
            assertEquals(recorded, run.json().get("plan").asString(), run.err());
        }
    }

    @Test void the_baseline_has_its_digits_although_no_phase_recorded_it() {
        assertEquals(baseline.hash(), compile(baseline.hash().substring(0, 8)).json().get("plan").asString());
    }

    @Test void digits_that_no_plan_begins_with_are_refused_and_never_taken_for_the_baseline() {
        String unknown = recorded.charAt(0) == '0' ? "1".repeat(12) : "0".repeat(12);
        CommandRun run = compile(unknown);
        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("NPF-607 "), run.err());
        CommandRun fresh = CommandRun.of("compile", "tiny_kjv", "--workspace", workspace.resolve("fresh").toString(), "--plan", unknown);
        assertTrue(fresh.err().startsWith("NPF-607 "), fresh.err());
    }

    @Test void digits_that_two_plans_begin_with_are_refused_with_more_digits_of_each() throws Exception {
        String twin = recorded.substring(0, 20) + "f".repeat(44);
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite"));
                var insert = connection.prepareStatement("INSERT INTO plan (hash, json) VALUES (?, '{}')")) {
            insert.setString(1, twin);
            insert.executeUpdate();
        }
        CommandRun run = compile(recorded.substring(0, 18));
        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("NPF-610 ") && run.err().contains(recorded.substring(0, 22)) && run.err().contains(twin.substring(0, 22)), run.err());
        assertEquals(recorded, compile(recorded.substring(0, 21)).json().get("plan").asString());
    }

    @Test void fewer_than_eight_digits_and_other_words_are_refused() {
        for (String word : List.of(recorded.substring(0, 7), "best", recorded + "0")) {
            assertTrue(compile(word).err().startsWith("NPF-805 "), word);
        }
    }
}
