package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.npu.runtime.NpuRuntime;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.model.LanguageModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The row "preload and run with other arguments or index sets" of `docs/faults.md`: upstream takes the preload's buffer objects for another argument
/// list too; here the call is refused before it runs.
class PreloadAndRunTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());
    private static final String SHAPE = """
            "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 32,
            "vocab_size": 100""";

    @TempDir Path directory;

    @Test void an_argument_more_than_in_the_preload_is_refused_before_it_runs() {
        assertRefused(call -> {
            List<Argument> arguments = new ArrayList<>(call.arguments());
            arguments.add(new Argument("more", List.of(16), DataType.BF16, new Source.Scratch(), Transfer.EVERY_CALL, false));
            return new NpuCall(call.name(), call.launches(), arguments, call.bufferKey(), call.options());
        }, "(4, made for 3)");
    }

    @Test void another_index_set_than_in_the_preload_is_refused_before_it_runs() {
        assertRefused(call -> call.mapArguments(argument -> argument.source() instanceof Source.Weight ? argument.withTransfer(Transfer.STATIC) : argument),
                "(down_gemv_weight)");
    }

    @Test void another_order_than_in_the_preload_is_refused_before_it_runs() {
        assertRefused(call -> new NpuCall(call.name(), call.launches(), call.arguments().reversed(), call.bufferKey(), call.options()), "(another order)");
    }

    @Test void the_same_arguments_run() {
        try (LanguageModel model = RandomModel.open(directory, "LlamaForCausalLM", "llama", SHAPE)) {
            assertDoesNotThrow(() -> preloadThenRun(model, call -> call));
        }
    }

    private void assertRefused(UnaryOperator<NpuCall> change, String what) {
        try (LanguageModel model = RandomModel.open(directory, "LlamaForCausalLM", "llama", SHAPE)) {
            NpuflowException refusal = assertThrows(NpuflowException.class, () -> preloadThenRun(model, change));
            assertEquals("NPF-242", refusal.id());
            assertTrue(refusal.getMessage().contains("arguments of down_gemv " + what), refusal.getMessage());
        }
    }

    private static void preloadThenRun(LanguageModel model, UnaryOperator<NpuCall> change) {
        Deployment plan = DeviceLowering.of(NPU2).baseline(model);
        NpuCall call = plan.decode().calls().filter(candidate -> candidate.name().equals("down_gemv")).findFirst().orElseThrow();
        CompiledDeployment compiled = ((CompiledDeployment.Outcome.Compiled) CompiledDeployment.compile(plan, NPU2)).deployment();
        Values values = new Values();
        values.put("swiglu", new short[128]);
        try (NpuRuntime runtime = new NpuRuntime(NPU2, new LaunchClock(), new DeviceHostClock(NPU2));
                CallRunner calls = new CallRunner(runtime, compiled, model.weights(), values)) {
            calls.preload(Phase.DECODE, call, 0);
            calls.run(Phase.DECODE, change.apply(call), 0, 1, LaunchInspector.NONE);
        }
    }
}
