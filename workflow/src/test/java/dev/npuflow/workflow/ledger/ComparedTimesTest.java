package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.report.ProfileText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Pairs of runs that people compared, as their tools printed them: the time of a token, and whether the two may be compared, are npuflow's own.
class ComparedTimesTest {

    private static final long SECOND = 1_000_000_000_000L;
    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");
    private static final Pattern PROMPT = Pattern.compile("prompt_len=(\\d+), n_tokens=(\\d+)");
    private static final Pattern MADE = Pattern.compile("Generated (\\d+) tokens in ([\\d.]+)s \\(([\\d.]+) tok/s\\)");

    @TempDir private Path workspace;

    /// A printed run: what was asked for and what it says of its rate, beside npuflow's profile of the same run.
    private record Printed(int asked, double rate, Profile profile) {

        Conditions conditions() {
            return new Conditions(7, profile.paddedPrompt(), profile.decodeTokens(), "d0", profile.source(), "0.1.0");
        }

        double milliseconds() {
            return profile.millisecondsPerToken().orElseThrow();
        }
    }

    private static Printed read(String file) throws IOException {
        String text = Files.readString(Cases.file("d02/" + file + ".txt"));
        MatchResult prompt = PROMPT.matcher(text).results().findFirst().orElseThrow();
        MatchResult made = MADE.matcher(text).results().findFirst().orElseThrow();
        StepTime all = new StepTime("decode", StepTime.Kind.HOST, StepTime.Section.EPILOGUE, -1, 0, 0, Math.round(Double.parseDouble(made.group(2)) * SECOND), 0, 0, 0, 0);
        Profile profile = new Profile("llama", "npu2", "f00d", "simulated on npu2", 1, 7, Integer.parseInt(prompt.group(1)), Integer.parseInt(made.group(1)), 0, 0,
                List.of(), List.of(all), List.of());
        return new Printed(Integer.parseInt(prompt.group(2)), Double.parseDouble(made.group(3)), profile);
    }

    private static JsonNode expected(String pair) {
        return Cases.expected("d02").get(pair);
    }

    /// The faster of the two is to be kept instead of the other.
    private void keep(Printed before, Printed after) {
        try (Ledger ledger = Ledger.open(workspace)) {
            RunId run = ledger.beginRun(KEY, new TreeMap<>());
            String first = measured(ledger, run, "before", before);
            String second = measured(ledger, run, "after", after);
            ledger.beginAttempt(run, 0, "some-skill");
            ledger.recordEvent(run, 0, AttemptEvent.of(AttemptState.KEPT, "faster", "faster").withPlans(first, second));
            ledger.setStatus(run, RunStatus.PASS);
            assertEquals(Optional.of(second), ledger.lastKeptPlan(KEY));
        }
    }

    private static String measured(Ledger ledger, RunId run, String name, Printed printed) {
        String plan = ledger.recordPlan(Plans.plan(name));
        ledger.recordVerdict(run, new VerdictRecord(plan, Verdict.PASS, "report.json", "{}"));
        ledger.recordMeasurement(run, new Measurement(plan, printed.conditions(), "{}"));
        return plan;
    }

    @Test void two_runs_under_the_same_conditions_are_compared() throws IOException {
        Printed before = read("same/before");
        Printed after = read("same/after");
        assertEquals("comparable", expected("same").get("verdict").asString());
        assertEquals(expected("same").get("before_ms").doubleValue(), before.milliseconds(), 1e-9);
        assertEquals(expected("same").get("after_ms").doubleValue(), after.milliseconds(), 1e-9);
        assertEquals(Optional.empty(), before.conditions().differenceFrom(after.conditions()));
        keep(before, after);
    }

    @Test void a_run_on_a_shorter_prompt_is_not_kept_as_a_faster_one() throws IOException {
        Printed before = read("other_context/before");
        Printed after = read("other_context/after");
        String difference = before.conditions().differenceFrom(after.conditions()).orElseThrow();
        assertEquals(expected("other_context").get("verdict").asString(), "refuse to compare: " + difference);
        NpuflowException refused = assertThrows(NpuflowException.class, () -> keep(before, after));
        assertEquals("NPF-609", refused.id());
        assertTrue(refused.getMessage().contains(difference), refused.getMessage());
    }

    @Test void the_time_of_a_token_divides_by_the_tokens_made_and_not_by_those_asked_for() throws IOException {
        Printed before = read("early_stop/before");
        Printed after = read("early_stop/after");
        JsonNode right = expected("early_stop");
        assertEquals(right.get("after_true_ms_per_token").doubleValue(), after.milliseconds(), 0.005);
        assertEquals(right.get("true_tok_s").doubleValue(), after.profile().tokensPerSecond().orElseThrow(), 0.0005);
        String text = ProfileText.render(after.profile());
        assertTrue(text.contains("Generated 78 tokens in 59.0") && text.contains("Tokens/second: 1.32\n") && text.contains("Time/token: 757ms\n"), text);
        assertEquals(right.get("printed_tok_s_is").doubleValue(), after.rate());
        assertEquals(after.rate(), after.asked() / 59.05, 0.005, "the printed rate is that of the 387 tokens asked for");
        assertFalse(text.contains("6.55"), text);
        assertEquals(Optional.of("decoded tokens 387 against 78"), before.conditions().differenceFrom(after.conditions()));
        assertEquals("NPF-609", assertThrows(NpuflowException.class, () -> keep(before, after)).id());
    }
}
