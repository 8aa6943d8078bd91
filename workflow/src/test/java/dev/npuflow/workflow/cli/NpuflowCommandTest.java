package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class NpuflowCommandTest {

    /// A command that ends as its body says.
    @Command(name = "toy")
    private record Toy(Runnable body) implements Runnable {
        @Override public void run() {
            body.run();
        }
    }

    @Test void an_error_of_the_virtual_machine_is_a_defect_and_no_failed_gate() {
        StringWriter err = new StringWriter();
        assertEquals(3, run(err, () -> {
            throw new StackOverflowError();
        }));
        assertTrue(err.toString().lines().toList().getLast().startsWith("NPF-899 "), err.toString());
    }

    @Test void a_command_that_returns_is_none() {
        StringWriter err = new StringWriter();
        assertEquals(0, run(err, () -> {}));
        assertEquals("", err.toString());
    }

    private static int run(StringWriter err, Runnable body) {
        CommandLine commandLine = NpuflowCommand.commandLine();
        return commandLine.addSubcommand("toy", new CommandLine(new Toy(body))).setErr(new PrintWriter(err, true)).execute("toy");
    }
}
