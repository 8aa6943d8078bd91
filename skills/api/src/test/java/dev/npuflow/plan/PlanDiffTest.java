package dev.npuflow.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlanDiffTest {

    @Test void names_what_changed_in_a_call() {
        Deployment before = Plans.deployment(Plans.norm());
        Deployment after = Plans.deployment(Plans.norm().withBufferKey(BufferKey.PER_LAYER)
                .mapArguments(a -> a.name().equals("x") ? a.withTransfer(Transfer.STATIC) : a));
        PlanDiff diff = PlanDiff.between(before, after);
        PlanDiff.Change change = diff.changes().getFirst();
        assertEquals(PlanDiff.Kind.CHANGED, change.kind());
        assertEquals(2, change.details().size());
        assertEquals("buffer key: SHARED -> PER_LAYER", change.details().getFirst());
        assertTrue(diff.text().startsWith("plan %s -> %s\n~ decode layer: norm\n    buffer key".formatted(before.hash(), after.hash())));
    }

    @Test void lists_steps_that_went_and_came() {
        NpuCall other = Plans.call("other", Plans.norm().launches(), Plans.norm().arguments().toArray(Argument[]::new));
        PlanDiff diff = PlanDiff.between(Plans.deployment(Plans.norm()), Plans.deployment(other));
        assertEquals(List.of(PlanDiff.Kind.REMOVED, PlanDiff.Kind.ADDED), diff.changes().stream().map(PlanDiff.Change::kind).toList());
        assertTrue(diff.text().contains("+ decode layer: other\n    1 launch: norm\n"));
    }

    @Test void names_only_what_changed_in_a_host_operation() {
        Deployment before = Plans.deployment(Plans.norm());
        HostOp argmax = (HostOp) before.decode().epilogue().getFirst();
        PhasePlan decode = new PhasePlan(List.of(), before.decode().layer(),
                List.of(argmax.withOptions(new TreeMap<>(Map.of("layout", "seq_first")))));
        assertEquals(List.of("options: {} -> {layout=seq_first}"),
                PlanDiff.between(before, before.withPhase(Phase.DECODE, decode)).changes().getFirst().details());
    }

    @Test void says_when_nothing_differs() {
        Deployment plan = Plans.deployment(Plans.norm());
        assertTrue(PlanDiff.between(plan, plan).isEmpty());
        assertTrue(PlanDiff.between(plan, plan).text().endsWith("no difference\n"));
    }
}
