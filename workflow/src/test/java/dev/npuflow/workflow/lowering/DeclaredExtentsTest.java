package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.lowering.aie.BaselineAssembler;
import dev.npuflow.workflow.lowering.aie.BaselineAssemblerTest;
import dev.npuflow.workflow.lowering.aie.PublishedLimits;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeclaredExtentsTest {

    private static final ModelShape MODEL = BaselineAssemblerTest.TINY;
    private static final Deployment BASELINE = baseline(MODEL);

    private static Deployment baseline(ModelShape model) {
        return BaselineAssembler.assemble(model, PreNorm.of(model), Devices.load("npu2", List.of()), new PublishedLimits());
    }

    @Test void baselines_say_what_is_true() {
        ModelShape plain = MODEL;
        Stream<ModelShape> models = Stream.of(plain, BaselineAssemblerTest.LLAMA,
                new ModelShape("qwen2", 4, 192, 512, 6, 2, 32, 1024, true, true, false, 1e-6, 2048),
                new ModelShape("qwen3", 4, 192, 512, 6, 2, 64, 1024, false, false, true, 1e-6, 2048),
                new ModelShape("partial", 4, 192, 512, 6, 2, 32, 1024, true, false, false, 1e-5, 2048, 16), plain.withOutputBias());
        models.forEach(model -> assertEquals(List.of(), DeclaredExtents.untrue(baseline(model), model), model::toString));
    }

    /// −600 heads made a token faster than nothing, and none made attention free.
    @ParameterizedTest @EnumSource(Phase.class) void no_extent_of_a_host_operation_can_be_another_one(Phase phase) {
        Set<HostOp> ops = new LinkedHashSet<>();
        BASELINE.phase(phase).steps().filter(HostOp.class::isInstance).forEach(step -> ops.add((HostOp) step));
        assertTrue(ops.size() >= 5, ops::toString);
        for (HostOp op : ops) {
            op.shape().forEach((name, extent) -> {
                for (int wrong : new int[] {-600, -1, 0, 1, extent + 1, 2 * extent, Integer.MAX_VALUE}) {
                    if (wrong != extent) {
                        List<Blocker> told = DeclaredExtents.untrue(host(phase, op, name, wrong), MODEL);
                        assertFalse(told.isEmpty(), () -> "%s of %s: %d instead of %d".formatted(name, op.name(), wrong, extent));
                    }
                }
            });
            assertFalse(DeclaredExtents.untrue(host(phase, op, "free", 1), MODEL).isEmpty(), () -> op.name() + " with an extent that it does not have");
        }
    }

    @Test void a_required_extent_cannot_be_left_out() {
        for (Phase phase : Phase.values()) {
            BASELINE.phase(phase).steps().filter(HostOp.class::isInstance).map(HostOp.class::cast).forEach(op -> op.shape().keySet().stream()
                    .filter(name -> !(name.equals("positions") && op.shape().get(name) == 1))
                    .forEach(name -> assertFalse(DeclaredExtents.untrue(host(phase, op, shape -> shape.remove(name)), MODEL).isEmpty(), () -> op.name() + " without " + name)));
        }
    }

    @Test void fewer_padded_positions_are_another_model() {
        ModelShape shorter = new ModelShape(MODEL.name(), 4, 192, 512, 6, 2, 32, 1024, true, false, false, 1e-5, 256);
        List<Blocker> told = DeclaredExtents.untrue(baseline(shorter), MODEL);
        assertEquals(1, told.size());
        assertTrue(told.getFirst().message().contains("another model"), told::toString);
    }

    @Test void launches_keep_the_models_epsilon_and_the_phases_positions() {
        assertTold("epsilon", launches(Phase.DECODE, launch -> launch.constants().containsKey("epsilon")
                ? copy(launch, new TreeMap<>(launch.shape()), new TreeMap<>(Map.of("epsilon", 1e-3))) : launch));
        assertTold("positions is 256", launches(Phase.PREFILL, launch -> {
            TreeMap<String, Integer> shape = new TreeMap<>(launch.shape());
            shape.replace("positions", 256);
            return copy(launch, shape, new TreeMap<>(launch.constants()));
        }));
    }

    @Test void the_argmax_is_there_once() {
        Deployment without = BASELINE.withPhase(Phase.DECODE, BASELINE.decode().mapSections(steps -> steps.stream()
                .filter(step -> !step.name().equals("argmax")).toList()));
        assertTold("0 argmax", without);
    }

    private static void assertTold(String text, Deployment plan) {
        List<Blocker> told = DeclaredExtents.untrue(plan, MODEL);
        assertTrue(told.stream().anyMatch(blocker -> blocker.message().contains(text)), told::toString);
        assertTrue(told.stream().allMatch(blocker -> blocker.limit().equals(DeclaredExtents.LIMIT)));
    }

    private static Deployment host(Phase phase, HostOp op, String extent, int value) {
        return host(phase, op, shape -> shape.put(extent, value));
    }

    private static Deployment host(Phase phase, HostOp op, Consumer<TreeMap<String, Integer>> change) {
        TreeMap<String, Integer> shape = new TreeMap<>(op.shape());
        change.accept(shape);
        HostOp wrong = new HostOp(op.name(), op.kind(), op.inputs(), op.outputs(), shape, op.options());
        UnaryOperator<List<Step>> replaced = steps -> steps.stream().map(step -> step.equals(op) ? (Step) wrong : step).toList();
        return BASELINE.withPhase(phase, BASELINE.phase(phase).mapSections(replaced));
    }

    private static Deployment launches(Phase phase, UnaryOperator<Launch> change) {
        return BASELINE.mapCalls(phase, call -> call.withLaunches(call.launches().stream().map(change).toList()));
    }

    private static Launch copy(Launch launch, TreeMap<String, Integer> shape, TreeMap<String, Double> constants) {
        return new Launch(launch.name(), launch.kernel(), launch.symbol(), shape, constants, launch.herd(), launch.tile(), launch.inputs(), launch.outputs());
    }
}
