package dev.npuflow.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class FaultTest {

    @Test void the_line_names_id_what_value_expectation_and_remedy() {
        assertEquals("NPF-302 field x (four): expected a number; try 4", Fault.badInput("NPF-302", "field x", "four", "a number", "4").line());
    }

    @Test void without_a_value_there_are_no_brackets() {
        assertEquals("NPF-305 field x is missing: expected a number; try 4", Fault.badInput("NPF-305", "field x is missing", "a number", "4").line());
    }

    @Test void the_exit_code_is_declared_and_does_not_follow_the_id() {
        assertEquals(ExitCode.BAD_INPUT, NpuflowException.badInput("NPF-341", "a", "b", "c").exitCode());
        assertEquals(ExitCode.ENVIRONMENT, NpuflowException.environment("NPF-341", "a", "b", "c").exitCode());
        assertEquals(ExitCode.ENVIRONMENT, NpuflowException.environment("NPF-341", "a", 1, "b", "c").exitCode());
        assertEquals(ExitCode.GATE_FAILED, new NpuflowException(new Fault("NPF-814", ExitCode.GATE_FAILED, "a", Optional.empty(), "b", "c")).exitCode());
    }

    @Test void a_part_that_is_very_long_loses_its_middle_and_stays_whole_in_the_part() {
        String file = "/home/" + "a".repeat(100_000) + "/config.json";
        Fault fault = Fault.badInput("NPF-105", file, "b".repeat(100_000), "c".repeat(100_000), "d".repeat(100_000));
        assertTrue(fault.line().startsWith("NPF-105 /home/aaa") && fault.line().contains("aaa/config.json (bbb"), fault.line());
        assertTrue(fault.line().length() < 10_100, () -> fault.line().length() + " characters");
        assertEquals(file, fault.what());
    }

    @Test void what_a_stranger_put_into_any_part_cannot_start_a_line_or_steer_the_terminal_and_stays_whole_in_the_part() {
        Fault fault = Fault.badInput("NPF-1", "a\nb", "c\u001b[31m", "d\u202ee", "f\rg");
        assertEquals("NPF-1 a b (c [31m): expected d e; try f g", fault.line());
        assertEquals(Optional.of("c\u001b[31m"), fault.value());
        assertEquals(fault.line(), new NpuflowException(fault).getMessage());
    }
}
