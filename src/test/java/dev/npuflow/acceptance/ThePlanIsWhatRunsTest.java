package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The NPU engine interprets the compiled plan and nothing else: what the plan says wrongly goes wrong.
class ThePlanIsWhatRunsTest {

    @TempDir static Path workspace;
    private static TinyKjv tiny;
    private static Deployment merged;

    @BeforeAll static void open() {
        tiny = TinyKjv.open(workspace);
        merged = merge(tiny.target.baseline());
    }

    @AfterAll static void close() {
        tiny.close();
    }

    @Test void a_merged_plan_gives_the_baseline_s_bits() {
        assertArrayEquals(logits(tiny.target.baseline()), logits(merged));
    }

    @Test void a_dropped_launch_changes_the_logits_where_the_device_keeps_its_value() {
        assertDiffers(keepingIntermediates(withoutSilu()));
    }

    @Test void a_dropped_launch_is_refused_where_the_host_should_have_its_value() {
        assertRefused(withoutSilu(), "swiglu");
    }

    private static Deployment withoutSilu() {
        return onFeedForward(call -> withLaunches(call, launches -> launches.removeIf(launch -> launch.kernel().equals("silu_mul"))));
    }

    @Test void swapped_launches_change_the_logits_where_the_device_keeps_their_values() {
        assertDiffers(keepingIntermediates(swappedEnds()));
    }

    @Test void swapped_launches_are_refused_where_the_host_should_have_their_values() {
        assertRefused(swappedEnds(), "o");
    }

    private static Deployment swappedEnds() {
        return onFeedForward(call -> withLaunches(call, launches -> Collections.swap(launches, 0, launches.size() - 1)));
    }

    /// What the merged plan writes anew on every call stays on the device, as the correct plan's launches allow.
    private static Deployment keepingIntermediates(Deployment plan) {
        List<String> intermediates = merged.decode().calls().flatMap(call -> AccessAnalysis.of(call, true).intermediateSet().stream()).toList();
        return plan.mapCalls(Phase.DECODE, call -> call.mapArguments(argument -> intermediates.contains(argument.name())
                ? argument.withTransfer(Transfer.INTERMEDIATE) : argument));
    }

    @Test void a_launch_bound_to_another_weight_changes_the_logits() {
        assertDiffers(onFeedForward(call -> withLaunches(call, launches -> {
            int gate = indexOf(launches, "gate");
            int up = indexOf(launches, "up");
            Operand gateWeight = launches.get(gate).inputs().get("matrix");
            launches.set(gate, bound(launches.get(gate), launches.get(up).inputs().get("matrix")));
            launches.set(up, bound(launches.get(up), gateWeight));
        })));
    }

    @Test void a_left_out_call_whose_value_the_host_needs_is_refused_by_name() {
        assertRefused(withoutDecodeCall("rope_q"), "q_roped");
    }

    @Test void a_left_out_call_whose_value_the_device_needs_is_refused_by_name() {
        assertRefused(withoutDecodeCall("q_gemv"), "q");
        assertRefused(withoutDecodeCall("o_gemv"), "o");
    }

    @Test void a_look_up_table_that_nobody_computes_is_refused_by_name() {
        PhasePlan decode = tiny.target.baseline().decode();
        List<Step> prologue = decode.prologue().stream().filter(step -> !step.name().equals("rope_q_table")).toList();
        assertEquals(decode.prologue().size() - 1, prologue.size());
        assertRefused(tiny.target.baseline().withPhase(Phase.DECODE, new PhasePlan(prologue, decode.layer(), decode.epilogue())), "rope_q");
    }

    private static void assertRefused(Deployment broken, String value) {
        NpuflowException fault = assertThrows(NpuflowException.class, () -> logits(broken));
        assertEquals("NPF-241", fault.id());
        assertTrue(fault.getMessage().contains("(value %s)".formatted(value)), fault.getMessage());
        FaultsDocument.assertCell("a value that no step makes", "refused before it runs: NPF-241");
    }

    /// Outputs, and intermediates before their first write: without a preload too.
    @Test void values_that_the_device_makes_itself_need_none_on_the_host() {
        for (Deployment plan : List.of(tiny.target.baseline(), merged, keepingIntermediates(merged))) {
            try (DeploymentRun run = tiny.target.open(plan, RunObserver.NONE)) {
                assertEquals(1024, run.prefill(new int[] {1022, 40}).length);
                assertEquals(1024, run.decode(77).length);
            }
        }
    }

    private static Deployment withoutDecodeCall(String name) {
        PhasePlan decode = tiny.target.baseline().decode();
        List<Step> layer = decode.layer().stream().filter(step -> !step.name().equals(name)).toList();
        assertEquals(decode.layer().size() - 1, layer.size(), name);
        return tiny.target.baseline().withPhase(Phase.DECODE, new PhasePlan(decode.prologue(), layer, decode.epilogue()));
    }

    @Test void two_tilings_under_one_symbol_are_refused() {
        Deployment clash = onFeedForward(call -> withLaunches(call, launches -> launches.replaceAll(launch -> launch.withSymbol("one_symbol"))));
        assertThrows(NpuflowException.class, () -> logits(clash));
        assertTrue(tiny.target.compile(clash).stream().anyMatch(blocker -> blocker.limit().contains("SYMBOL")), () -> tiny.target.compile(clash).toString());
    }

    private static Deployment merge(Deployment deployment) {
        var skill = SkillCatalog.load(Optional.empty()).select(List.of("opt-merge-multi-launch-kernels")).getFirst().skill();
        SkillContext context = new SkillContext(Phase.DECODE, tiny.target.traits(), new TreeMap<>(), tiny.target.placement(), List.of());
        return assertInstanceOf(Assessment.Proposal.class, skill.assess(deployment, context)).plan();
    }

    private static void assertDiffers(Deployment changed) {
        assertFalse(java.util.Arrays.equals(logits(merged), logits(changed)));
    }

    /// Of the third decode token: by then nothing is fresh any more.
    private static float[] logits(Deployment deployment) {
        try (DeploymentRun run = tiny.target.open(deployment, RunObserver.NONE)) {
            run.preload();
            run.prefill(new int[] {1022, 40, 77, 258});
            run.decode(810);
            run.decode(264);
            return run.decode(77);
        }
    }

    private static Deployment onFeedForward(UnaryOperator<NpuCall> change) {
        return merged.mapCalls(Phase.DECODE, call -> call.launches().stream().anyMatch(launch -> launch.kernel().equals("silu_mul")) ? change.apply(call) : call);
    }

    private static NpuCall withLaunches(NpuCall call, java.util.function.Consumer<List<Launch>> change) {
        List<Launch> launches = new ArrayList<>(call.launches());
        change.accept(launches);
        return call.withLaunches(launches);
    }

    private static Launch bound(Launch launch, Operand matrix) {
        TreeMap<String, Operand> inputs = new TreeMap<>(launch.inputs());
        inputs.put("matrix", matrix);
        return launch.withOperands(inputs, launch.outputs());
    }

    private static int indexOf(List<Launch> launches, String prefix) {
        for (int i = 0; i < launches.size(); i++) {
            if (launches.get(i).name().startsWith(prefix)) {
                return i;
            }
        }
        throw new AssertionError(launches.stream().map(Launch::name).toList());
    }
}
