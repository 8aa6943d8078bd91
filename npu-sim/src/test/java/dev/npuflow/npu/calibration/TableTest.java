package dev.npuflow.npu.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.NpuException;
import dev.npuflow.npu.aie.measured.FamilyErrors;
import dev.npuflow.npu.aie.measured.KernelCase;
import dev.npuflow.npu.aie.measured.KernelValidation;
import dev.npuflow.npu.machine.Devices;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final String HEADER = String.join(",", KernelCase.COLUMNS) + "\n";

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
        KernelValidation.Result result = new KernelValidation(Devices.load("npu2", List.of())).validate(Table.parse("f.csv", HEADER
                + "R1,GEMV_bf16,,1,2048,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,330,pass\n"
                + "R2,GEMV_bf16,,1,8192,2048,1,,,,8,1,8,8,,,,,xclbin,off,4x4,1067,pass\n"
                + "R3,Memcpy,,1,,,,,,16777216,,,,,,,,,,,,2417,\n", KernelCase.COLUMNS));
        assertEquals(2, result.rows().size());
        assertEquals(1, result.families().size());
        FamilyErrors family = result.families().getFirst();
        assertEquals(result.rows().stream().mapToDouble(row -> Math.abs(row.error())).average().orElseThrow(), family.mean(), 1e-12);
        assertEquals("R3", result.notScored().getFirst().rowId());
        assertEquals(0, family.affineMean(), 1e-6, "two rows fit a line exactly");
    }

    private static KernelCase kernel(String row) {
        return KernelCase.of(Table.parse("f.csv", HEADER + row + "\n", KernelCase.COLUMNS).rows().getFirst());
    }

    private static void assertFault(String id, String part, Runnable action) {
        NpuException fault = assertThrows(NpuException.class, action::run);
        assertEquals(id, fault.id());
        assertTrue(fault.getMessage().contains(part), fault.getMessage());
    }
}
