package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTimingTest {

    private static final Path TINY_KJV = Path.of("../programming_examples/llms/tiny_kjv");
    private static final int[] PROMPT = {1, 17, 40, 5};
    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    @TempDir private Path cache;

    @Test void a_plan_costs_to_the_picosecond_what_its_run_does() {
        try (LanguageModel model = LanguageModels.open(TINY_KJV, OpenOptions.cachingIn(cache))) {
            Deployment baseline = DeviceLowering.of(NPU2).baseline(model);
            Deployment kept = baseline.mapCalls(Phase.DECODE, PlanTimingTest::keepWeights);
            for (Deployment deployment : List.of(baseline, kept)) {
                Map<Integer, Long> run = run(deployment, model);
                PlanTiming timing = new PlanTiming(NPU2, new LaunchClock());
                assertEquals(run.get(-1), timing.time(deployment, Phase.PREFILL, PROMPT.length).value());
                for (int step = 0; step < 3; step++) {
                    assertEquals(run.get(step), timing.time(deployment, Phase.DECODE, PROMPT.length + 1 + step).value(), "decode step " + step);
                }
            }
            PlanTiming timing = new PlanTiming(NPU2, new LaunchClock());
            assertTrue(timing.time(kept, Phase.DECODE, 9).value() < timing.time(baseline, Phase.DECODE, 9).value());
            assertTrue(timing.time(baseline, Phase.DECODE, 9).value() < timing.time(baseline, Phase.DECODE, 900).value());
        }
    }

    private static NpuCall keepWeights(NpuCall call) {
        return call.withBufferKey(BufferKey.PER_LAYER)
                .mapArguments(argument -> argument.source() instanceof Source.Weight ? argument.withTransfer(Transfer.STATIC) : argument);
    }

    /// Picoseconds of each pass by its number, the prefill's under −1.
    private static Map<Integer, Long> run(Deployment deployment, LanguageModel model) {
        CompiledDeployment compiled = ((CompiledDeployment.Outcome.Compiled) CompiledDeployment.compile(deployment, NPU2)).deployment();
        List<StepTime> prefill = new ArrayList<>();
        List<StepTime> decode = new ArrayList<>();
        List<List<StepTime>> current = new ArrayList<>(List.of(prefill));
        try (DeploymentRun run = new DeploymentRun(compiled, model, new LaunchClock(), (time, _) -> current.getLast().add(time))) {
            run.preload();
            prefill.clear();
            run.prefill(PROMPT);
            current.add(decode);
            for (int token : new int[] {3, 9, 27}) {
                run.decode(token);
            }
        }
        Map<Integer, Long> passes = new TreeMap<>(decode.stream().collect(Collectors.groupingBy(StepTime::pass,
                Collectors.summingLong(StepTime::total))));
        passes.put(-1, prefill.stream().mapToLong(StepTime::total).sum());
        return passes;
    }
}
