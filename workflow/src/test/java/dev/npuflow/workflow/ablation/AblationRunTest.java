package dev.npuflow.workflow.ablation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Plans;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.phase.PhaseProgress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AblationRunTest {

    private static final RunKey PHASE5 = new RunKey("toy", GatedPhase.DECODE, "d0");

    @TempDir private Path workspace;

    static Stream<Throwable> failures() {
        return Stream.of(NpuflowException.environment("NPF-407", "device hung", "an end", "again"), new IllegalStateException("a defect"), new OutOfMemoryError());
    }

    @ParameterizedTest @MethodSource("failures") void a_run_that_a_failure_of_any_kind_ended_does_not_look_as_if_it_still_ran(Throwable failure) {
        Target target = mock(Target.class);
        when(target.verify(any(), anyInt())).thenThrow(failure);
        PhaseOptions options = new PhaseOptions(List.of(), new TreeMap<>(), false, false, 1, 1, Duration.ofSeconds(60));
        try (Ledger ledger = Ledger.open(workspace)) {
            AblationRun run = new AblationRun(target, ledger, PHASE5, options, Prompt.ofIds(new int[] {1}), mock(PhaseProgress.class));
            assertSame(failure, assertThrows(Throwable.class, () -> run.run(run.begin(new TreeMap<>()), Plans.plan("start"), List.of())));
            assertEquals(List.of(RunStatus.ERROR), ledger.runs(AblationRun.key(PHASE5)).stream().map(each -> each.status()).toList());
        }
    }
}
