package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.npu.runtime.BufferObject;
import dev.npuflow.npu.runtime.NpuRuntime;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.testkit.TinyModel;
import dev.npuflow.workflow.lowering.CompiledDeployment;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.model.LanguageModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Faults of upstream's runtime that no plan can have here: they are refused before they run (docs/upstream.md, "Faults of buffer objects").
class RefusedFaultsTest {

    private static final DeviceDescription NPU2 = Devices.load(TinyModel.DEVICE, List.of());

    @TempDir static Path cache;
    private static FaultBench bench;
    private static Deployment merged;

    @BeforeAll static void open() throws Exception {
        bench = FaultBench.of(FaultBench.shape("tiny_llama", 4, 2, 32, false, false), cache);
        merged = bench.after(Phase.DECODE, "opt-merge-multi-launch-kernels", "opt-buffer-object-reuse");
    }

    @AfterAll static void close() {
        bench.close();
    }

    @Test void a_value_that_is_too_large_for_its_argument_is_refused() {
        assertRefused("a value of another size than its argument", "NPF-243", onDevice(
                PlanChange.value(bench.baseline, Phase.DECODE, "rms_norm_ffn", "residual", "q")));
    }

    @Test void a_value_that_would_fill_its_argument_in_part_is_refused() {
        assertRefused("a value of another size than its argument", "NPF-243", onDevice(
                PlanChange.value(bench.baseline, Phase.DECODE, "o_gemv", "attention", "x")));
    }

    @Test void a_value_of_another_step_in_the_right_size_is_not_refused() {
        assertDoesNotThrow(onDevice(PlanChange.value(bench.baseline, Phase.DECODE, "o_gemv", "attention", "q")));
    }

    private static Executable onDevice(Deployment plan) {
        return () -> bench.localize(plan, watcher -> watcher);
    }

    @Test void an_elf_of_another_plan_is_refused_whatever_its_name() {
        Deployment stale = PlanChange.swapped(merged, Phase.DECODE, "gate_gemv", "up_gemv");
        assertRefused("a stale ELF with new index sets", "NPF-244", () -> new CompiledDeployment(merged, NPU2, compiled(stale).executables(), List.of()));
    }

    @Test void an_elf_that_a_plan_with_other_index_sets_was_built_to_is_not_stale() {
        Deployment otherSets = merged.mapCalls(Phase.DECODE, call -> call.mapArguments(argument -> argument.withTransfer(Transfer.EVERY_CALL)));
        assertDoesNotThrow(() -> new CompiledDeployment(otherSets, NPU2, compiled(merged).executables(), List.of()));
    }

    private static CompiledDeployment compiled(Deployment plan) {
        return ((CompiledDeployment.Outcome.Compiled) CompiledDeployment.compile(plan, NPU2)).deployment();
    }

    @Test void buffer_objects_of_a_shorter_argument_list_are_refused_by_the_runtime() {
        NpuCall call = merged.decode().calls().findFirst().orElseThrow();
        var elf = compiled(merged).executable(Phase.DECODE, call.name());
        try (NpuRuntime npu = new NpuRuntime(NPU2, new LaunchClock(), new DeviceHostClock(NPU2))) {
            List<BufferObject> preloaded = call.arguments().stream().map(argument -> npu.allocate(argument.name(), argument.bytes())).toList();
            assertEquals("NPF-402", assertThrows(NpuflowException.class, () -> npu.run(npu.load(elf), preloaded.subList(0, preloaded.size() - 2), 1)).id());
            assertDoesNotThrow(() -> npu.run(npu.load(elf), preloaded, 1));
        }
        FaultsDocument.assertCell("preload and run with other arguments or index sets", "refused before it runs: NPF-242");
    }

    @Test void a_weight_whose_memory_was_given_back_before_the_first_call_is_refused() {
        LanguageModel model = TinyModel.open();
        CompiledDeployment plan = compiled(TinyModel.baseline());
        try (DeploymentRun run = new DeploymentRun(plan, model, new LaunchClock(), RunObserver.NONE)) {
            model.close();
            assertRefused("a host array freed before its key's first call", "NPF-245", run::preload);
        }
    }

    private static void assertRefused(String fault, String id, Executable run) {
        NpuflowException refusal = assertThrows(NpuflowException.class, run);
        assertEquals(id, refusal.id(), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("; try "), refusal.getMessage());
        FaultsDocument.assertCell(fault, "refused before it runs: " + id);
    }
}
