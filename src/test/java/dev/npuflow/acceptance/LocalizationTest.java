package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.GateRun;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.lens.Hypothesis;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.lens.Localization.Fault;
import dev.npuflow.workflow.lens.Localizer;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.model.Prompt;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// One fault at a time: the gate catches it, the lens says where and what it is.
class LocalizationTest {

    @TempDir static Path workspace;
    private static TinyKjv tiny;
    private static Deployment baseline;
    private static Deployment merged;

    @BeforeAll static void open() throws Exception {
        tiny = TinyKjv.open(workspace);
        baseline = tiny.target.baseline();
        merged = applied(applied(baseline, "opt-merge-multi-launch-kernels"), "opt-buffer-object-reuse");
    }

    @AfterAll static void close() {
        tiny.close();
    }

    static Stream<Arguments> faultyPlans() throws Exception {
        return Stream.of(
                // reference document §D.4: a value of each call marked static
                Arguments.of(made(BadSkills.ropeTableMarkedStatic()), 1, 0, "q_roped", Hypothesis.STALE_STATIC, "rope_q"),
                // static weights, one key for all layers
                Arguments.of(made(BadSkills.staticWeightsUnderOneKey()), 1, 1, "normed", Hypothesis.CROSS_LAYER_ALIAS, "rms_norm_attention_weight"),
                Arguments.of(decode(merged, call -> call.withBufferKey(BufferKey.SHARED)), 1, 1, "normed", Hypothesis.CROSS_LAYER_ALIAS,
                        "rms_norm_attention_weight"),
                // an input marked intermediate
                Arguments.of(made(BadSkills.inputMarkedIntermediate()), 1, 0, "o", Hypothesis.MISSING_INTERMEDIATE, "attention"),
                Arguments.of(decode(merged, call -> call.mapArguments(argument -> argument.name().equals("x")
                        ? argument.withTransfer(Transfer.INTERMEDIATE) : argument)), 1, 0, "normed", Hypothesis.MISSING_INTERMEDIATE, "x"),
                // the order of launches changed: read before it is written
                Arguments.of(swapped("gate_gemv", "silu_mul"), 1, 0, "silu_mul", Hypothesis.MISSING_INTERMEDIATE, "gate"),
                // a launch left out
                Arguments.of(without("up_gemv"), 1, 0, "silu_mul", Hypothesis.MISSING_INTERMEDIATE, "up"),
                // the wrong layer's weight
                Arguments.of(decode(baseline, call -> call.mapArguments(argument -> ofLayer0(argument, "down_proj"))), 1, 1, "down",
                        Hypothesis.LAYER_INDEXED_WEIGHT, "down_gemv_weight"),
                Arguments.of(decode(merged, call -> call.mapArguments(argument -> ofLayer0(argument, "v_proj"))), 1, 1, "v",
                        Hypothesis.LAYER_INDEXED_WEIGHT, "v_gemv_weight"),
                // the residual is dropped: what follows reads the branch alone
                Arguments.of(rebound(merged, "rms_norm_ffn", "in", "o"), 1, 0, "ffn_normed", Hypothesis.DROPPED_RESIDUAL, "o"),
                Arguments.of(rebound(merged, "add_ffn", "b", "down"), 1, 0, "output", Hypothesis.DROPPED_RESIDUAL, "down"),
                // gate and up exchanged, by weight and by port
                Arguments.of(rebound(rebound(merged, "gate_gemv", "matrix", "up_gemv_weight"), "up_gemv", "matrix", "gate_gemv_weight"), 1, 0, "gate",
                        Hypothesis.SWAPPED_GATE_UP, "up_gemv_weight"),
                Arguments.of(rebound(rebound(merged, "silu_mul", "gate", "up"), "silu_mul", "up", "gate"), 1, 0, "silu_mul",
                        Hypothesis.SWAPPED_GATE_UP, "up"));
    }

    @ParameterizedTest @MethodSource("faultyPlans")
    void a_faulty_plan_is_caught_and_localized(Deployment plan, int step, int layer, String operator, Hypothesis hypothesis, String argument) {
        assertEquals(Verdict.GATE_FAIL, tiny.target.verify(plan, tiny.prompts.gate().size()).verdict());
        Fault fault = localize(plan, watcher -> watcher).fault().orElseThrow();
        assertEquals(List.of(Phase.DECODE, step, layer, operator, hypothesis, argument),
                List.of(fault.phase(), fault.step(), fault.layer(), fault.operator(),
                fault.hypothesis(), fault.involved().map(Localization.Involved::argument).orElse("")), fault.lines()::toString);
    }

    @Test void a_layout_that_producer_and_consumer_do_not_agree_on_is_found_in_the_prefill() {
        Deployment plan = baseline.withPhase(Phase.PREFILL, baseline.prefill().mapSections(steps -> steps.stream()
                .map(step -> step instanceof HostOp op
                && op.kind() == HostKind.PREFILL_ATTENTION ? op.withOptions(new TreeMap<>(Map.of("layout", "seq_first"))) : step).toList()));
        assertEquals(Verdict.GATE_FAIL, tiny.target.verify(plan, tiny.prompts.gate().size()).verdict());
        Fault fault = localize(plan, watcher -> watcher).fault().orElseThrow();
        assertEquals(List.of(Phase.PREFILL, 0, 0, "attention", Hypothesis.LAYOUT),
                List.of(fault.phase(), fault.step(), fault.layer(), fault.operator(),
                fault.hypothesis()), fault.lines()::toString);
    }

    static Stream<Arguments> injectedFaults() {
        var config = tiny.model.config();
        return Stream.of(
                Arguments.of(InjectedFault.interleavedRope(config.headDim()), 0, "q_roped", Hypothesis.ROPE_CONVENTION),
                Arguments.of(InjectedFault.groupedByModulo(config), 0, "attention", Hypothesis.GQA_MAPPING),
                Arguments.of(InjectedFault.appendedOneEarly(config), 0, "attention", Hypothesis.KV_POSITION),
                Arguments.of(InjectedFault.bareHerd("down_gemv", 2), 2, "down", Hypothesis.BARE_HERD));
    }

    @ParameterizedTest @MethodSource("injectedFaults")
    void a_fault_of_host_or_kernel_is_caught_and_localized(InjectedFault.Injection injection, int layer, String operator, Hypothesis hypothesis) {
        try (DeploymentRun run = tiny.target.open(baseline, injection.before(RunObserver.NONE))) {
            run.preload();
            List<Prompt> prompts = tiny.prompts.gate();
            assertEquals(Verdict.GATE_FAIL, GateRun.run(run, prompts.stream().map(Prompt::idArray).toList(), tiny.traces(prompts), GateRules.UPSTREAM,
                    _ -> { }).verdict());
        }
        Fault fault = localize(baseline, injection).fault().orElseThrow();
        assertEquals(List.of(Phase.DECODE, 1, layer, operator, hypothesis), List.of(fault.phase(), fault.step(), fault.layer(), fault.operator(),
                fault.hypothesis()), fault.lines()::toString);
    }

    @Test void a_fault_of_the_baseline_itself_is_localized_too(@TempDir Path fresh) {
        InjectedFault.Injection injection = InjectedFault.interleavedRope(tiny.model.config().headDim());
        Localizer localizer = new Localizer(tiny.model, (deployment, observer) -> tiny.target.open(deployment, injection.before(observer)), fresh,
                "npu2");
        Fault fault = localizer.localize(baseline, baseline, tiny.prompts.gate().subList(0, 1), 2).fault().orElseThrow();
        assertEquals(Hypothesis.ROPE_CONVENTION, fault.hypothesis());
    }

    @Test void nothing_is_found_in_a_correct_plan() {
        assertEquals(Optional.empty(), localize(merged, watcher -> watcher).fault());
        assertEquals(Optional.empty(), localize(baseline, watcher -> watcher).fault());
    }

    @Test void a_fault_in_a_merged_elf_is_found_although_nothing_of_it_is_read_back() {
        Deployment plan = rebound(merged, "rms_norm_ffn", "in", "o");
        Fault fault = localize(plan, watcher -> watcher).fault().orElseThrow();
        assertTrue(fault.place().endsWith("/rms_norm_ffn"), fault.place());
        NpuCall call = plan.decode().calls().filter(candidate -> fault.place().startsWith(candidate.name() + "/")).findFirst().orElseThrow();
        assertTrue(call.launches().size() > 1 && call.arguments().stream().noneMatch(argument -> argument.name().equals("normed_ffn")
                && argument.readBack()));
    }

    private static Localization localize(Deployment plan, InjectedFault.Injection injection) {
        List<Prompt> prompts = tiny.prompts.gate().subList(0, 2);
        localizer(watcher -> watcher).localize(baseline, baseline, prompts, 8);
        return localizer(injection).localize(plan, baseline, prompts, 8);
    }

    /// The noise is that of a run without the fault; the first localization leaves it in the cache.
    private static Localizer localizer(InjectedFault.Injection injection) {
        return new Localizer(tiny.model, (deployment, observer) -> tiny.target.open(deployment, injection.before(observer)),
                workspace.resolve("cache"), "npu2");
    }

    private static Deployment applied(Deployment deployment, String skill) throws Exception {
        Skill loaded = SkillCatalog.load(Optional.empty()).select(List.of(skill)).getFirst().skill();
        return loaded.apply(deployment, new SkillContext(Phase.DECODE, "npu2", new TreeMap<>(), tiny.target.placement(), List.of()));
    }

    private static Deployment made(Skill skill) throws Exception {
        return skill.apply(baseline, new SkillContext(Phase.DECODE, "npu2", new TreeMap<>(), tiny.target.placement(), List.of()));
    }

    private static Deployment decode(Deployment plan, UnaryOperator<NpuCall> change) {
        return plan.mapCalls(Phase.DECODE, change);
    }

    private static Argument ofLayer0(Argument argument, String projection) {
        return argument.source() instanceof Source.Weight(String tensor, int first, int rows) && tensor.contains(projection)
                ? new Argument(argument.name(), argument.shape(), argument.dataType(), new Source.Weight(tensor.replace("{layer}", "0"), first, rows),
                        argument.transfer(), argument.readBack()) : argument;
    }

    private static Deployment rebound(Deployment plan, String launch, String port, String argument) {
        return decode(plan, call -> call.withLaunches(call.launches().stream().map(candidate -> candidate.name().equals(launch)
                ? bound(call, candidate, port, argument) : candidate).toList()));
    }

    private static Launch bound(NpuCall call, Launch launch, String port, String argument) {
        TreeMap<String, Operand> inputs = new TreeMap<>(launch.inputs());
        inputs.put(port, Operand.whole(call.argument(argument)));
        return launch.withOperands(inputs, launch.outputs());
    }

    private static Deployment without(String launch) {
        return decode(merged, call -> call.withLaunches(call.launches().stream().filter(candidate -> !candidate.name().equals(launch)).toList()));
    }

    private static Deployment swapped(String first, String second) {
        return decode(merged, call -> {
            List<Launch> launches = new java.util.ArrayList<>(call.launches());
            Map<String, Integer> at = new TreeMap<>();
            launches.forEach(launch -> at.put(launch.name(), launches.indexOf(launch)));
            if (at.containsKey(first) && at.containsKey(second)) {
                Collections.swap(launches, at.get(first), at.get(second));
            }
            return call.withLaunches(launches);
        });
    }
}
