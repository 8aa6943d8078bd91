package dev.npuflow.workflow.ledger;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.PhasePlan;
import java.util.List;
import java.util.TreeMap;

/// Plans that differ in one name, for tests that only need their hashes to differ.
public final class Plans {

    private Plans() {}

    public static Deployment plan(String name) {
        ModelShape model = new ModelShape("toy", 1, 64, 128, 4, 2, 16, 32, true, false, false, 1e-5, 2048);
        HostOp embed = new HostOp(name, HostKind.EMBED, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        PhasePlan phase = new PhasePlan(List.of(embed), List.of(), List.of());
        return new Deployment(model, "npu2", phase, phase);
    }
}
