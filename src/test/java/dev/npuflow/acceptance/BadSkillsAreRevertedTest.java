package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.ReasonCode;
import dev.npuflow.workflow.phase.SkillRecord;
import dev.npuflow.workflow.report.Outcome;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BadSkillsAreRevertedTest {

    @TempDir static Path workspace;
    private static TinyKjv tiny;

    @BeforeAll static void open() {
        tiny = TinyKjv.open(workspace);
    }

    @AfterAll static void close() {
        tiny.close();
    }

    static Stream<Skill> wrong() {
        return Stream.of(BadSkills.ropeTableMarkedStatic(), BadSkills.staticWeightsUnderOneKey(), BadSkills.inputMarkedIntermediate());
    }

    @ParameterizedTest @MethodSource("wrong") void the_self_check_stops_a_wrong_skill(Skill skill) {
        SkillRecord skillRecord = only(tiny.phase5(true, skill));
        assertEquals(ReasonCode.SELF_CHECK_FAILED, skillRecord.code());
        assertTrue(skillRecord.verdict().isEmpty(), "the gate is not asked any more");
        assertRestored(skillRecord);
    }

    @ParameterizedTest @MethodSource("wrong") void the_gate_alone_stops_a_wrong_skill(Skill skill) {
        SkillRecord skillRecord = only(tiny.phase5(false, skill));
        assertEquals(ReasonCode.GATE_FAILED, skillRecord.code());
        assertEquals(Verdict.GATE_FAIL, skillRecord.verdict().orElseThrow());
        assertRestored(skillRecord);
    }

    @Test void a_correct_skill_that_is_slower_is_reverted_too() {
        SkillRecord skillRecord = only(tiny.phase5(true, BadSkills.withoutPingPong()));
        assertEquals(ReasonCode.NOT_FASTER, skillRecord.code());
        assertEquals(Verdict.PASS, skillRecord.verdict().orElseThrow());
        assertTrue(skillRecord.after().orElseThrow() > skillRecord.before());
        assertRestored(skillRecord);
    }

    @ParameterizedTest @ValueSource(booleans = {true, false}) void a_plan_that_npuflow_cannot_run_costs_the_attempt_and_not_the_phase(boolean selfCheck) {
        PhaseResult result = tiny.phase5(selfCheck, BadSkills.hugeShape());
        assertEquals(PhaseResult.Status.FAIL, result.status());
        SkillRecord skillRecord = only(result);
        assertEquals(ReasonCode.TARGET_FAILED, skillRecord.code());
        assertTrue(skillRecord.reason().startsWith("NPF-243 zeros for an argument"), skillRecord.reason());
        assertRestored(skillRecord);
    }

    @Test void a_phase_in_which_nothing_was_kept_does_not_pass() {
        PhaseResult result = tiny.phase5(true, BadSkills.withoutPingPong());
        assertEquals(PhaseResult.Status.FAIL, result.status());
        assertEquals(result.baseline().deployment().hash(), result.last().deployment().hash());
    }

    private static SkillRecord only(PhaseResult result) {
        assertEquals(1, result.skills().size());
        return result.skills().getFirst();
    }

    private static void assertRestored(SkillRecord skillRecord) {
        assertEquals(Outcome.REVERTED, skillRecord.outcome());
        SkillRecord.Revert proof = skillRecord.revertedTo().orElseThrow();
        assertEquals(skillRecord.planBefore(), proof.plan());
        assertEquals(skillRecord.before(), proof.milliseconds());
        assertNotEquals(skillRecord.planBefore(), skillRecord.planAfter().orElseThrow());
    }
}
