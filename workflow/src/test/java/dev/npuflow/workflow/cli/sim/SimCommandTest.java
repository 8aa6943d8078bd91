package dev.npuflow.workflow.cli.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.aie.measured.KernelCase;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

class SimCommandTest {

    private static final String HEADER = String.join(",", KernelCase.COLUMNS) + "\n";
    private static final String GEMV = "R1,GEMV_bf16,,1,2048,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,330,pass\n";
    private static final String TWICE_AS_LONG = "R2,GEMV_bf16,,1,2048,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,660,pass\n";

    @TempDir Path folder;

    private record Answer(int code, String out, String err) {

        Map<?, ?> json() {
            return new JsonMapper().readValue(out, Map.class);
        }
    }

    private static Answer sim(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = NpuflowCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = new String[arguments.length + 1];
        all[0] = "sim";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return new Answer(command.execute(all), out.toString(), err.toString());
    }

    @Test void validation_prints_rows_and_families_and_exits_0_below_the_bound() throws IOException {
        Answer answer = sim("validate", "--kernels", file(HEADER + GEMV), "--max-mean", "8", "--json");
        assertEquals(0, answer.code(), answer.err());
        Map<?, ?> row = (Map<?, ?>) ((List<?>) answer.json().get("rows")).getFirst();
        double simulated = ((Number) row.get("simulated_us")).doubleValue();
        assertEquals(simulated / 330 - 1, ((Number) row.get("error")).doubleValue(), 1e-9);
    }

    @Test void a_family_above_the_bound_exits_1() throws IOException {
        assertEquals(1, sim("validate", "--kernels", file(HEADER + TWICE_AS_LONG), "--max-mean", "8").code());
    }

    @Test void a_row_that_does_not_place_here_is_not_scored_and_says_why() throws IOException {
        Answer answer = sim("validate", "--kernels", file(HEADER + GEMV), "--device", "npu1", "--json");
        assertEquals(List.of(), answer.json().get("rows"));
        assertTrue(answer.json().get("not_scored").toString().contains("does not place on npu1: herd shape mismatch: herd 8 x 1 does not fit in 4 columns"),
                answer.out());
    }

    @Test void a_bound_that_no_error_can_be_above_or_every_error_is_above_is_refused() throws IOException {
        for (String bound : List.of("NaN", "-1")) {
            Answer answer = sim("validate", "--kernels", file(HEADER + TWICE_AS_LONG), "--max-mean", bound);
            assertEquals(2, answer.code(), bound);
            assertTrue(answer.err().startsWith("NPF-823 "), answer.err());
        }
    }

    @Test void a_fit_to_no_row_is_refused_and_writes_nothing() throws IOException {
        Path out = folder.resolve("fitted.yaml");
        for (String rows : List.of("", GEMV)) {
            Answer answer = sim("calibrate", "-o", out.toString(), "--kernels", file(HEADER + rows), "--without", "R1");
            assertEquals(2, answer.code(), answer.err());
            assertEquals(1, answer.err().lines().count(), answer.err());
            assertTrue(answer.err().startsWith("NPF-822 "), answer.err());
        }
        assertFalse(Files.exists(out));
    }

    @Test void a_decimal_comma_a_nan_and_a_missing_column_exit_2_in_one_line() throws IOException {
        for (String text : List.of(HEADER + GEMV.replace(",330,", ",\"330,5\","), HEADER + GEMV.replace(",330,", ",NaN,"), "row_id,kernel\nR1,GEMV_bf16\n")) {
            Answer answer = sim("validate", "--kernels", file(text));
            assertEquals(2, answer.code(), answer.err());
            assertEquals(1, answer.err().lines().count(), answer.err());
            assertTrue(answer.err().contains("kernels.csv: row ") && answer.err().contains("expected"), answer.err());
            assertEquals("", answer.out());
        }
    }

    @Test void a_calibration_writes_a_device_that_fits_better() throws IOException {
        Path out = folder.resolve("mine.yaml");
        Answer answer = sim("calibrate", "--kernels", file(HEADER + TWICE_AS_LONG), "-o", out.toString(), "--iterations", "4");
        assertEquals(0, answer.code(), answer.err());
        assertTrue(answer.out().contains("leave one out"), answer.out());
        Devices.load(out.toString(), List.of());
        assertTrue(mean(sim("validate", "--kernels", file(HEADER + TWICE_AS_LONG), "--device", out.toString(), "--json"))
                < mean(sim("validate", "--kernels", file(HEADER + TWICE_AS_LONG), "--json")));
    }

    @Test void a_calibration_of_a_bad_file_writes_nothing() throws IOException {
        Path out = folder.resolve("mine.yaml");
        assertEquals(2, sim("calibrate", "--kernels", file("row_id\nR1\n"), "-o", out.toString()).code());
        assertFalse(Files.exists(out));
    }

    @Test void a_calibration_that_cannot_be_written_leaves_what_is_in_its_place() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("in-the-way"));
        Answer answer = sim("calibrate", "--kernels", file(HEADER + TWICE_AS_LONG), "-o", directory.toString(), "--iterations", "1");
        assertEquals(3, answer.code());
        assertTrue(answer.err().contains("NPF-343 "), answer.err());
        assertTrue(Files.isDirectory(directory));
    }

    @Test void no_probed_transfer_beats_its_limit() {
        for (Object transfer : (List<?>) sim("probe", "--json").json().get("transfers")) {
            Map<?, ?> fields = (Map<?, ?>) transfer;
            assertTrue(((Number) fields.get("gbps")).doubleValue() <= ((Number) fields.get("limit_gbps")).doubleValue() * 1.001, fields.toString());
        }
    }

    private static double mean(Answer answer) {
        return ((Number) ((Map<?, ?>) ((List<?>) answer.json().get("families")).getFirst()).get("mean")).doubleValue();
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("kernels.csv"), text).toString();
    }
}
