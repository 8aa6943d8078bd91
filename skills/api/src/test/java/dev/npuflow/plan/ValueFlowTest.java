package dev.npuflow.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ValueFlowTest {

    @Test void a_call_reads_what_its_launches_need_from_the_host_and_writes_what_is_read_back() {
        ValueFlow flow = ValueFlow.of(Plans.norm());
        assertEquals(Set.of("x"), flow.reads());
        assertEquals(Set.of("y"), flow.writes());
    }

    @Test void what_is_not_read_back_is_no_value_for_others() {
        assertEquals(Set.of(), ValueFlow.of(Plans.norm().mapArguments(argument -> argument.withReadBack(false))).writes());
    }

    @Test void a_host_operation_reads_its_inputs_and_writes_its_outputs() {
        HostOp add = new HostOp("add", HostKind.ADD, new TreeMap<>(Map.of("a", "x", "b", "y")), new TreeMap<>(Map.of("out", "z")),
                new TreeMap<>(), new TreeMap<>());
        assertEquals(Set.of("x", "y"), ValueFlow.of(add).reads());
        assertEquals(Set.of("z"), ValueFlow.of(add).writes());
    }
}
