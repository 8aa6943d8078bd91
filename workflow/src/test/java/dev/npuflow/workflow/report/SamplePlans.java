package dev.npuflow.workflow.report;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Small plans: each call adds two vectors of 1024 numbers.
final class SamplePlans {

    private static final ModelShape MODEL = new ModelShape("toy", 16, 64, 128, 4, 2, 16, 32, true, false, false, 1e-5, 2048);

    private SamplePlans() {}

    static Deployment of(Step... layer) {
        PhasePlan phase = new PhasePlan(List.of(), List.of(layer), List.of());
        return new Deployment(MODEL, "npu2", phase, phase);
    }

    /// One call of these launches; weight and scratch are transferred as said, the sum always.
    static NpuCall call(String name, Transfer weight, Transfer scratch, String... launches) {
        List<Launch> all = Arrays.stream(launches).map(launch -> new Launch(launch, "eltwise_add", launch, new TreeMap<>(Map.of("n", 1024)),
                new TreeMap<>(), new Herd(8, 1), new TreeMap<>(), new TreeMap<>(Map.of("a", whole("weight"), "b", whole("scratch"))),
                new TreeMap<>(Map.of("out", whole("sum"))))).toList();
        return new NpuCall(name, all, List.of(argument("weight", new Source.Weight("w", 0, 1), weight),
                argument("scratch", new Source.Scratch(), scratch), argument("sum", new Source.Activation("s"), Transfer.EVERY_CALL)),
                BufferKey.SHARED, new ElfOptions(false, 1));
    }

    static HostOp transpose(String name) {
        return new HostOp(name, HostKind.TRANSPOSE, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    private static Operand whole(String argument) {
        return new Operand(argument, 0, 1024);
    }

    private static Argument argument(String name, Source source, Transfer transfer) {
        return new Argument(name, List.of(1024), DataType.BF16, source, transfer, false);
    }
}
