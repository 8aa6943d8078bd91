package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.ReasonCode;
import dev.npuflow.workflow.phase.SkillRecord;
import dev.npuflow.workflow.target.Profile;
import dev.npuflow.workflow.target.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tool chain that refuses what the placement check lets through, and a merge that does not reach the device.
class MergesThatFailTest {

    @TempDir static Path workspace;
    private static TinyKjv tiny;

    @BeforeAll static void open() {
        tiny = TinyKjv.open(workspace);
    }

    @AfterAll static void close() {
        tiny.close();
    }

    @Test void an_elf_that_is_too_large_is_cut_and_every_attempt_is_in_the_ledger() {
        Outcome outcome = merge(new Refusing(tiny.target, 5));
        assertEquals(ReasonCode.FASTER, outcome.skill.code());
        assertEquals(List.of("does_not_compile", "does_not_compile", "compiles"),
                outcome.states.stream().filter(state -> state.contains("compile")).toList());
        // 8 launches, then 7, then 3 and the other 5; 6 launches, then 5 and 1.
        assertEquals(List.of(5, 1, 3, 5), outcome.plan.decode().layer().stream().filter(NpuCall.class::isInstance).map(step -> ((NpuCall) step).launches().size())
                .toList());
    }

    @Test void where_nothing_may_be_merged_the_skill_is_skipped_by_the_blocker_s_name() {
        Outcome outcome = merge(new Refusing(tiny.target, 1));
        assertEquals(ReasonCode.DOES_NOT_COMPILE, outcome.skill.code());
        assertTrue(outcome.skill.reason().startsWith("BUFFER_DESCRIPTORS in decode/"), outcome.skill.reason());
        assertEquals(tiny.target.baseline().hash(), outcome.plan.hash());
    }

    @Test void a_merge_that_is_not_in_effect_is_an_error_and_is_reverted() {
        Outcome outcome = merge(new Delegating(tiny.target) {
            @Override public Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos) {
                return target.profile(target.baseline(), prompt, tokens, ignoreEos);
            }
        });
        assertEquals(ReasonCode.TARGET_FAILED, outcome.skill.code());
        assertTrue(outcome.skill.reason().startsWith("NPF-524 merge not in effect: 1824 XRT calls in 32 passes"), outcome.skill.reason());
    }

    /// Buffer descriptors for so many launches in one ELF.
    private static final class Refusing extends Delegating {

        private final int launches;

        Refusing(Target target, int launches) {
            super(target);
            this.launches = launches;
        }

        @Override public List<Blocker> compile(Deployment deployment) {
            List<Blocker> blockers = new ArrayList<>(super.compile(deployment));
            deployment.decode().calls().filter(call -> call.launches().size() > launches).forEach(call -> blockers.add(new Blocker("BUFFER_DESCRIPTORS",
                    "decode/%s/%s".formatted(call.name(), call.name()), "Allocator exhausted available buffer descriptor IDs", "16 a shim", "un-merge")));
            return blockers;
        }
    }

    private record Outcome(SkillRecord skill, Deployment plan, List<String> states) {}

    private static Outcome merge(Target target) {
        Skill merge = SkillCatalog.load(Optional.empty()).select(List.of("opt-merge-multi-launch-kernels")).getFirst().skill();
        try (Ledger ledger = Ledger.open(workspace)) {
            RunId run = ledger.beginRun(tiny.key(), new TreeMap<>());
            PhaseResult result = tiny.phase5(target, ledger, run, TinyKjv.options(true, 2), merge);
            List<String> states = ledger.attempts(run).stream().flatMap(attempt -> attempt.events().stream()).map(event -> event.reasonCode()).toList();
            return new Outcome(result.skills().getFirst(), result.last().deployment(), states);
        }
    }
}
