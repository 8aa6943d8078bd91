package dev.npuflow.workflow.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The fuzzer itself: what is a find, and what is none.
class FuzzerTest {

    private static List<String> finds(Subject.Reader reader) {
        Subject subject = new Subject("toy", 1, List.of(new byte[] {1, 2, 3}), ByteMutator.EVERYWHERE, reader);
        List<String> finds = new ArrayList<>();
        new Fuzzer(subject, find -> finds.add(find.what())).run(1, LongStream.of(1));
        return finds;
    }

    private static void assertFound(String what, Subject.Reader reader) {
        List<String> finds = finds(reader);
        assertEquals(1, finds.size(), finds::toString);
        assertTrue(finds.getFirst().contains(what), finds::toString);
    }

    @Test void a_good_input_and_a_fault_in_one_line_are_none() {
        assertEquals(List.of(), finds(_ -> { }));
        assertEquals(List.of(), finds(_ -> {
            throw NpuflowException.badInput("NPF-105", "a", 1, "b", "c");
        }));
    }

    @Test void another_exception_an_error_and_a_fault_of_npuflow_itself_are() {
        assertFound("IndexOutOfBounds", input -> input[1000]++);
        assertFound("StackOverflowError", _ -> {
            throw new StackOverflowError();
        });
        assertFound("NPF-899", _ -> {
            throw NpuflowException.environment("NPF-899", "npuflow itself failed", "no such fault", "again");
        });
        assertFound("no plain line", _ -> {
            throw NpuflowException.badInput("x", "a", "b", "c");
        });
    }

    @Test void more_memory_than_the_bound_is() {
        assertFound("bytes allocated", _ -> {
            byte[] large = new byte[(int) Fuzzer.MOST_BYTES + 1];
            large[7]++;
        });
    }
}
