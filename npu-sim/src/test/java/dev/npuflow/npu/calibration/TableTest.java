package dev.npuflow.npu.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.measured.FamilyErrors;
import dev.npuflow.npu.aie.measured.KernelCase;
import dev.npuflow.npu.aie.measured.KernelValidation;
import dev.npuflow.npu.machine.Devices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTest {

    private static final String HEADER = String.join(",", KernelCase.COLUMNS) + "\n";
    private static final String SHIPPED = String.join(",", KernelCase.SHIPPED_COLUMNS) + "\n";

    @TempDir private Path folder;

    @Test void quoted_fields_keep_their_commas_and_quotes() {
        Table.Row row = Table.parse("f.csv", "a,b\n\"x, \"\"y\"\"\",7\n", List.of("a", "b")).rows().getFirst();
        assertEquals("x, \"y\"", row.text("a"));
        assertEquals(7, row.whole("b"));
        assertTrue(row.number("absent").isEmpty());
    }

    @Test void faults_name_file_row_field_and_expectation() {
        assertFault("NPF-312", "f.csv: row 1 has no field b", () -> Table.parse("f.csv", "a\n1\n", List.of("a", "b")));
        assertFault("NPF-312", "f.csv: row 1 is missing", () -> Table.parse("f.csv", "", List.of("a")));
        assertFault("NPF-311", "f.csv: row 3 has 3 fields: expected 2 fields", () -> Table.parse("f.csv", "a,b\n1,2\n1,2,3\n", List.of("a")));
        assertFault("NPF-311", "f.csv: row 2 has an open quote", () -> Table.parse("f.csv", "a,b\n\"1,2\n", List.of("a")));
        for (String bad : List.of("NaN", "Infinity", "-3", "1.2.3", "0x10", "12 us")) {
            assertFault("NPF-313", "f.csv: row 2 field a (" + bad + ")", () -> Table.parse("f.csv", "a\n" + bad + "\n", List.of("a")).rows()
                    .getFirst().number("a"));
        }
        assertFault("NPF-313", "row 2 field a (3,5)", () -> Table.parse("f.csv", "a\n\"3,5\"\n", List.of("a")).rows().getFirst().number("a"));
        assertFault("NPF-313", "row 2 field a (3.5): expected a whole number", () -> Table.parse("f.csv", "a\n3.5\n", List.of("a")).rows()
                .getFirst().whole("a"));
    }

    @Test void a_complete_row_is_timed_and_scored() {
        KernelCase.Timed timed = assertInstanceOf(KernelCase.Timed.class,
                kernel("R1,GEMV_bf16,,1,2048,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,330,pass"));
        assertTrue(timed.scored());
        assertEquals(4, timed.elf().loopTiling());
        assertTrue(!timed.elf().pingPong());
    }

    @Test void a_row_without_tile_without_latency_or_that_does_not_place_is_not_timed() {
        assertInstanceOf(KernelCase.Untimed.class, kernel("R2,GEMV_bf16,,1,2048,2048,1,,,,4,1,,,,,,,xclbin,off,4x4,892,"));
        assertInstanceOf(KernelCase.Untimed.class, kernel("R3,GEMV_bf16,,1,2048,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,,"));
        assertInstanceOf(KernelCase.Untimed.class, kernel("R4,SiLU_Mul_bf16,,0,,,,,,16777216,8,2,,,,,4096,,xclbin,on,none,,fail"));
        assertInstanceOf(KernelCase.Untimed.class, kernel("R5,DequantAWQ_int4,,1,,,,,,1024,1,4,,,,,,,elf,,,99,"));
    }

    @Test void validation_reports_rows_families_and_what_is_not_scored() {
        KernelValidation.Result result = new KernelValidation(Devices.load("npu2", List.of())).validate(cases(HEADER
                + "R1,GEMV_bf16,,1,2048,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,330,pass\n"
                + "R2,GEMV_bf16,,1,8192,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,1067,pass\n"
                + "R3,Memcpy,,1,,,,,,16777216,,,,,,,,,,,,2417,\n"));
        assertEquals(2, result.rows().size());
        assertEquals(1, result.families().size());
        FamilyErrors family = result.families().getFirst();
        assertEquals(result.rows().stream().mapToDouble(row -> Math.abs(row.error())).average().orElseThrow(), family.mean(), 1e-12);
        assertEquals("R3", result.notScored().getFirst().rowId());
        assertEquals(0, family.affineMean(), 1e-6, "two rows fit a line exactly");
    }

    @Test void a_shipped_row_is_the_same_case_in_the_words_of_plans() {
        KernelCase.Timed published = assertInstanceOf(KernelCase.Timed.class, kernel("K1,GEMV_bf16,,1,2048,8192,1,,,,8,1,2,1,,,,,elf,on,4x4,330,pass"));
        assertEquals(List.of(published), cases(SHIPPED + "K1,GEMV,gemv,m=2048 k=8192,8x1,tile_m=2 m_input=1,elf,on,4,330\n"));
    }

    @Test void a_shipped_row_of_no_kernel_or_without_a_size_is_not_scored_and_says_why() {
        KernelValidation.Result result = new KernelValidation(Devices.load("npu2", List.of())).validate(cases(SHIPPED
                + "K1,GEMV,gemv,m=2048,8x1,tile_m=8 m_input=8,xclbin,off,4,330\nK2,copy,memcpy,n=64,8x1,,xclbin,off,1,330\nK3,GEMV,gemv,m=64 k=64,8x1,,xclbin,off,4,\n"));
        assertEquals(List.of("K1", "K2", "K3"), result.notScored().stream().map(KernelValidation.NotScored::rowId).toList());
        assertEquals(List.of(), result.rows());
        assertEquals("no latency", result.notScored().getLast().why());
    }

    @Test void a_shipped_row_whose_sizes_cannot_be_read_is_a_fault_of_the_file() {
        assertFault("NPF-313", "row 2 field shape (m=2k): expected names with whole numbers", () -> cases(SHIPPED + "K1,GEMV,gemv,m=2k,8x1,,xclbin,off,4,330\n"));
        assertFault("NPF-313", "row 2 field herd (8): expected columns and rows", () -> cases(SHIPPED + "K1,GEMV,gemv,m=2,8,,xclbin,off,4,330\n"));
        assertFault("NPF-312", "row 1 has no field id", () -> cases("kernel,microseconds\ngemv,3\n"));
    }

    private static KernelCase kernel(String row) {
        return KernelCase.of(Table.parse("f.csv", HEADER + row + "\n", KernelCase.COLUMNS).rows().getFirst());
    }

    private List<KernelCase> cases(String text) {
        try {
            return KernelCase.read(Files.writeString(folder.resolve("f.csv"), text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertFault(String id, String part, Runnable action) {
        NpuflowException fault = assertThrows(NpuflowException.class, action::run);
        assertEquals(id, fault.id());
        assertTrue(fault.getMessage().contains(part), fault.getMessage());
    }
}
