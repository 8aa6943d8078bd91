package dev.npuflow.workflow.lens;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lens.Localization.Fault;
import dev.npuflow.workflow.lowering.CompiledDeployment;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.Prompt;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The lens on a model whose frequencies change in decode step 2: 15 prompt tokens, original length 16, so that step 2 is the first at position 16.
class RopeByLengthLocalizationTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());
    private static final double[] LONG = {1, 2, 8, 32, 32, 40, 48, 64};
    private static final int CROSSING = 2;
    /// √(1 + ln(64 / 16) / ln 16), by hand.
    private static final double ATTENTION_FACTOR = Math.sqrt(1.5);

    @TempDir Path cache;

    @Test void a_right_plan_stays_within_its_noise_across_the_border() {
        assertEquals(Optional.empty(), localize(observer -> observer));
    }

    @Test void rows_of_another_position_are_recognized_by_the_frequencies_of_the_pass() {
        Fault fault = localize(observer -> new Shifted(observer)).orElseThrow();
        assertEquals(CROSSING, fault.step());
        assertEquals("q_roped", fault.operator());
        assertTrue(fault.evidence().contains("the device holds the RoPE rows of position 17"), fault.evidence());
    }

    private Optional<Fault> localize(UnaryOperator<RunObserver> change) {
        try (LanguageModel model = LanguageModels.open(Cases.folder("e05/prompt_beyond_original"), OpenOptions.cachingIn(cache))) {
            Deployment plan = DeviceLowering.of(NPU2).baseline(model);
            CompiledDeployment compiled = ((CompiledDeployment.Outcome.Compiled) CompiledDeployment.compile(plan, NPU2)).deployment();
            PlanRunner right = (_, observer) -> new DeploymentRun(compiled, model, new LaunchClock(), observer);
            PlanRunner changed = (_, observer) -> new DeploymentRun(compiled, model, new LaunchClock(), change.apply(observer));
            Prompt prompt = Prompt.ofIds(Cases.expected("e05").get("prompt_beyond_original").get("prompt_ids").valueStream().limit(15).mapToInt(id -> id.asInt())
                    .toArray());
            new Localizer(model, right, cache).localize(plan, List.of(prompt), 4);
            return new Localizer(model, changed, cache).localize(plan, List.of(prompt), 4).fault();
        }
    }

    /// In the crossing step the host writes the rows of the next position.
    private record Shifted(RunObserver inner) implements RunObserver {

        @Override public void afterStep(StepTime time, Values values) {
            inner.afterStep(time, values);
        }

        @Override public void afterStep(Phase phase, Step step, StepTime time, Values values) {
            if (phase == Phase.DECODE && time.pass() == CROSSING - 1 && step instanceof HostOp op && op.kind() == HostKind.ROPE_TABLE) {
                values.put(op.outputs().get("out"), rows(17, op.shape().get("rows")));
            }
            inner.afterStep(phase, step, time, values);
        }

        @Override public LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
            return inner.inspector(phase, call, layer);
        }

        private static short[] rows(int position, int heads) {
            short[] rows = new short[heads * 16];
            for (int at = 0; at < rows.length; at++) {
                double angle = position * Math.pow(10_000, -(at % 8) / 8.0) / LONG[at % 8];
                rows[at] = Bfloat16.fromFloat((float) (ATTENTION_FACTOR * (at % 16 < 8 ? Math.cos(angle) : Math.sin(angle))));
            }
            return rows;
        }
    }
}
