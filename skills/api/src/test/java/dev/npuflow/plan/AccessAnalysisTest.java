package dev.npuflow.plan;

import static dev.npuflow.plan.Plans.N;
import static dev.npuflow.plan.Plans.activation;
import static dev.npuflow.plan.Plans.all;
import static dev.npuflow.plan.Plans.argument;
import static dev.npuflow.plan.Plans.call;
import static dev.npuflow.plan.Plans.launch;
import static dev.npuflow.plan.Plans.norm;
import static dev.npuflow.plan.Plans.weight;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.ArgumentAccess.FirstAccess;
import dev.npuflow.plan.ArgumentAccess.Reuse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccessAnalysisTest {

    @Test void a_layer_weight_is_static_only_under_a_key_per_layer() {
        assertEquals(List.of(), AccessAnalysis.of(norm(), true).staticSet());
        assertTrue(AccessAnalysis.of(norm(), true).access("weight").reason().contains("differs by layer"));
        assertEquals(List.of("weight"), AccessAnalysis.of(norm().withBufferKey(BufferKey.PER_LAYER), true).staticSet());
    }

    @Test void a_weight_without_a_layer_is_static_under_a_shared_key() {
        NpuCall call = call("norm", norm().launches(), activation("x"), weight("weight", "model.norm.weight"), activation("y"));
        assertEquals(List.of("weight"), AccessAnalysis.of(call, true).staticSet());
        assertEquals(List.of("weight"), AccessAnalysis.of(norm(), false).staticSet());
    }

    @Test void an_activation_and_a_look_up_table_are_never_static() {
        NpuCall call = call("norm", norm().launches(), activation("x"), argument("weight", new Source.LookUpTable("rope_q")), activation("y"))
                .withBufferKey(BufferKey.PER_LAYER);
        AccessAnalysis analysis = AccessAnalysis.of(call, true);
        assertEquals(List.of(), analysis.staticSet());
        assertEquals(FirstAccess.DEVICE_READ, analysis.access("x").first());
        assertEquals("look-up table rope_q changes with the position", analysis.access("weight").reason());
    }

    @Test void what_the_device_writes_first_is_intermediate() {
        AccessAnalysis analysis = AccessAnalysis.of(norm(), true);
        assertEquals(List.of("y"), analysis.intermediateSet());
        assertEquals(FirstAccess.DEVICE_WRITE, analysis.access("y").first());
        assertEquals(List.of("y"), analysis.outputSet());
    }

    @Test void an_accumulator_is_neither_intermediate_nor_static() {
        NpuCall call = call("add", List.of(launch("add", Map.of("a", all("sum"), "b", all("x")), Map.of("out", all("sum")))),
                weight("sum", "model.norm.weight"), activation("x"));
        ArgumentAccess sum = AccessAnalysis.of(call, false).access("sum");
        assertEquals(Reuse.NONE, sum.reuse());
        assertEquals(N, sum.hostElements());
    }

    @Test void launches_need_the_host_for_what_they_read_first_and_for_nothing_else() {
        NpuCall norm = norm();
        assertTrue(AccessAnalysis.launchesNeedHost(norm, norm.argument("x"), 0, N));
        assertFalse(AccessAnalysis.launchesNeedHost(norm, norm.argument("y"), 0, N), "written only, although it is read back");
        Operand first = new Operand("packed", 0, N / 2);
        Operand second = new Operand("packed", N / 2, N / 2);
        NpuCall packed = call("packed", List.of(launch("make", Map.of("in", all("x")), Map.of("out", first)),
                launch("use", Map.of("in", first, "weight", second), Map.of("out", all("y")))), activation("x"), activation("packed"), activation("y"));
        assertFalse(AccessAnalysis.launchesNeedHost(packed, packed.argument("packed"), 0, N / 2), "written before it is read");
        assertTrue(AccessAnalysis.launchesNeedHost(packed, packed.argument("packed"), N / 2, N / 2));
        NpuCall swapped = packed.withLaunches(packed.launches().reversed());
        assertTrue(AccessAnalysis.launchesNeedHost(swapped, swapped.argument("packed"), 0, N / 2), "read before it is written");
    }

    @Test void half_an_argument_written_does_not_make_the_other_half_intermediate() {
        Operand firstHalf = new Operand("half", 0, N / 2);
        NpuCall call = call("two", List.of(launch("write", Map.of("in", all("x")), Map.of("out", firstHalf)),
                launch("read", Map.of("in", all("half")), Map.of("out", all("y")))), activation("x"), activation("half"), activation("y"));
        assertEquals(N / 2, AccessAnalysis.of(call, true).access("half").hostElements());
        assertFalse(AccessAnalysis.of(call, true).intermediateSet().contains("half"));
    }

    @Test void a_packed_argument_is_static_where_its_varying_part_is_written_before_it_is_read() {
        Source packed = new Source.Packed(List.of(new Source.Activation("residual"), new Source.Weight("model.norm.weight", 0, 1)),
                List.of(N / 2, N / 2));
        Operand row = new Operand("packed", 0, N / 2);
        Launch write = launch("write", Map.of("in", all("x")), Map.of("out", row));
        Launch read = launch("read", Map.of("in", all("packed")), Map.of("out", all("y")));
        Argument[] arguments = {activation("x"), argument("packed", packed), activation("y")};
        assertEquals(List.of("packed"), AccessAnalysis.of(call("good", List.of(write, read), arguments), false).staticSet());
        ArgumentAccess swapped = AccessAnalysis.of(call("swapped", List.of(read, write), arguments), false).access("packed");
        assertEquals(Reuse.NONE, swapped.reuse());
    }

    @Test void an_argument_that_no_launch_touches_is_dead_unless_it_is_read_back() {
        NpuCall call = call("norm", norm().launches(), activation("x"), activation("weight"), activation("y"),
                argument("old", new Source.Scratch()), activation("kept").withReadBack(true));
        AccessAnalysis analysis = AccessAnalysis.of(call, true);
        assertEquals(List.of("old"), analysis.deadSet());
        assertEquals(N, analysis.access("kept").hostElements());
    }

    @Test void a_read_back_of_what_was_only_partly_written_needs_the_host_value() {
        Operand firstHalf = new Operand("y", 0, N / 2);
        NpuCall call = call("half", List.of(launch("write", Map.of("in", all("x")), Map.of("out", firstHalf))),
                activation("x"), activation("y").withReadBack(true));
        assertEquals(N / 2, AccessAnalysis.of(call, true).access("y").hostElements());
        assertFalse(AccessAnalysis.of(call, true).access("y").fullyWritten());
    }
}
