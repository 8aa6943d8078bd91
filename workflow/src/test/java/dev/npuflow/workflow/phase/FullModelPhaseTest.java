package dev.npuflow.workflow.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.phase.PhaseResult.Status;
import dev.npuflow.workflow.report.LayerFigures;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Phase 3 on a scripted target.
class FullModelPhaseTest {

    private static final LayerFigures LAYER = new LayerFigures(0, 0.99, 0.98, 0.995, 0.5, 0.1);

    @TempDir private Path workspace;
    @AutoClose private LoopBench bench;

    @BeforeEach void begin() {
        bench = new LoopBench(workspace);
    }

    private PhaseResult run(ScriptedTarget target) {
        return new FullModelPhase(target, bench.options(), LoopBench.PROMPT, bench.journal(), (_, _) -> List.of(LAYER)).run(ScriptedTarget.plan("start"));
    }

    @Test void the_start_is_compiled_measured_looked_at_and_judged() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10);
        PhaseResult result = run(target);
        assertEquals(Status.PASS, result.status());
        assertEquals(10, result.last().milliseconds());
        assertEquals(List.of("compile start", "profile start", "verify start"), target.asked());
        assertEquals(List.of("APPLIED applied", "MEASURED measured", "COMPILED diagnosed", "VERIFIED pass", "KEPT baseline"), bench.history(0));
        assertEquals(List.of(LAYER), new RecordedPhase(bench.ledger, bench.run).layers());
        assertEquals(List.of("1 of 3, measuring the baseline", "2 of 3, looking at its layers", "3 of 3, verifying"), bench.told);
    }

    @Test void a_start_that_fails_the_gate_is_not_settled() {
        PhaseResult result = run(new ScriptedTarget().takes("start", 10).judges("start", Verdict.GATE_FAIL));
        assertEquals(Status.FAIL, result.status());
        assertEquals(List.of("APPLIED applied", "MEASURED measured", "COMPILED diagnosed", "VERIFIED gate_fail"), bench.history(0));
    }

    @Test void a_start_that_does_not_compile_is_refused_with_the_remedy() {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> run(new ScriptedTarget().compiles("start", false)));
        assertEquals("NPF-520", refused.id());
        assertEquals("NPF-520 plan to start from (launch: out of buffer descriptors): expected a plan that compiles; try this: Use a smaller group.", refused.getMessage());
    }
}
