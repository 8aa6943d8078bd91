package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckedOutputTest {

    @Test void what_a_full_disk_swallows_is_a_loss() {
        assertEquals(Optional.of("No space left on device"), printed(failing("No space left on device")).map(Throwable::getMessage));
    }

    @Test void a_reader_that_has_enough_is_none() {
        assertEquals(Optional.empty(), printed(failing("Broken pipe")));
    }

    @Test void what_arrives_is_none() {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        assertEquals(Optional.empty(), printed(to));
        assertEquals("12.5 ms → 3 ms\n", to.toString(StandardCharsets.UTF_8));
    }

    private static Optional<IOException> printed(OutputStream to) {
        CheckedOutput output = new CheckedOutput(to);
        PrintWriter writer = new PrintWriter(output, true, StandardCharsets.UTF_8);
        writer.print("12.5 ms → 3 ms\n");
        writer.flush();
        return output.loss();
    }

    private static OutputStream failing(String reason) {
        return new OutputStream() {
            @Override public void write(int value) throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
