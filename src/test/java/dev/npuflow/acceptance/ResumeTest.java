package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.RecordedPhase;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run that died at any point goes on from the ledger and ends as one that did not die.
class ResumeTest {

    private static final int PROMPTS = 1;

    @TempDir Path workspace;
    private TinyKjv tiny;
    private Skill[] skills;

    @BeforeEach void open() {
        tiny = TinyKjv.open(workspace);
        skills = SkillCatalog.load(Optional.empty()).skills().stream().map(LoadedSkill::skill).toArray(Skill[]::new);
    }

    @AfterEach void close() {
        tiny.close();
    }

    /// Baseline: profile 1, verify 2. Merge: self-check 3, verify 4, profile 5. Buffer objects: self-check 6, verify 7, profile 8.
    @ParameterizedTest @ValueSource(ints = {2, 4, 7, 8}) void a_run_that_died_resumes_and_writes_the_same_document(int dies) {
        String whole;
        try (Ledger ledger = Ledger.open(workspace.resolve("whole"))) {
            RunId run = ledger.beginRun(tiny.key(), new TreeMap<>());
            whole = document(ledger, run, tiny.phase5(tiny.target, ledger, run, TinyKjv.options(true, PROMPTS), skills));
        }
        try (Ledger ledger = Ledger.open(workspace.resolve("died"))) {
            RunId run = ledger.beginRun(tiny.key(), new TreeMap<>());
            assertThrows(Died.class, () -> tiny.phase5(new Dying(tiny.target, dies), ledger, run, TinyKjv.options(true, PROMPTS), skills));
        }
        try (Ledger ledger = Ledger.open(workspace.resolve("died"))) {
            Run open = ledger.openRun(tiny.key()).orElseThrow();
            Dying counting = new Dying(tiny.target, Integer.MAX_VALUE);
            PhaseResult resumed = tiny.phase5(counting, ledger, open.id(), TinyKjv.options(true, PROMPTS), skills);
            assertEquals(whole, document(ledger, open.id(), resumed));
            ledger.setStatus(open.id(), RunStatus.PASS);
        }
    }

    @Test void a_skill_that_was_applied_and_not_verified_is_verified_after_the_resume() {
        try (Ledger ledger = Ledger.open(workspace.resolve("died"))) {
            RunId run = ledger.beginRun(tiny.key(), new TreeMap<>());
            assertThrows(Died.class, () -> tiny.phase5(new Dying(tiny.target, 4), ledger, run, TinyKjv.options(true, PROMPTS), skills[0]));
            Dying counting = new Dying(tiny.target, Integer.MAX_VALUE);
            tiny.phase5(counting, ledger, run, TinyKjv.options(true, PROMPTS), skills[0]);
            assertEquals(1, counting.verified);
        }
    }

    private static String document(Ledger ledger, RunId run, PhaseResult result) {
        return new RecordedPhase(ledger, run).document(Phase.DECODE, result.status().name(), List.of()).render();
    }

    /// What a killed process looks like from inside.
    private static final class Died extends Error {
        private static final long serialVersionUID = 1L;
    }

    /// Dies at the n-th use of the device.
    private static final class Dying extends Delegating {

        private final int last;
        private int uses;
        private int verified;

        Dying(Target target, int last) {
            super(target);
            this.last = last;
        }

        private void use() {
            if (++uses == last) {
                throw new Died();
            }
        }

        @Override public SelfCheck selfCheck(Deployment before, Deployment after, boolean changesArithmetic) {
            use();
            return super.selfCheck(before, after, changesArithmetic);
        }

        @Override public GateResult verify(Deployment deployment, int prompts) {
            use();
            verified++;
            return super.verify(deployment, prompts);
        }

        @Override public Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos) {
            use();
            return super.profile(deployment, prompt, tokens, ignoreEos);
        }
    }
}
