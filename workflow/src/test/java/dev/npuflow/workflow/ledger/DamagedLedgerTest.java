package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedLedgerTest {

    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");

    @TempDir private Path workspace;
    private Path file;

    @BeforeEach void write_a_ledger() {
        file = workspace.resolve("ledger.sqlite");
        try (Ledger ledger = Ledger.open(workspace)) {
            ledger.beginRun(KEY, new TreeMap<>());
            for (int i = 0; i < 50; i++) {
                ledger.recordPlan(Plans.plan("plan " + i));
            }
        }
    }

    private String refusal() {
        NpuflowException fault = assertThrows(NpuflowException.class, () -> Ledger.open(workspace).close());
        assertFalse(fault.getMessage().contains("\n"));
        assertFalse(fault.getMessage().replace(file.toString(), "").matches("(?i).*(sqlite|exception|\\*\\*\\*).*"), fault.getMessage());
        return fault.id();
    }

    private void sql(String statement) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file); var executed = connection.createStatement()) {
            executed.executeUpdate(statement);
        }
    }

    @Test void a_ledger_cut_to_nothing_is_begun_anew() throws Exception {
        Files.write(file, new byte[0]);
        assertEquals(Optional.empty(), Ledger.openToRead(workspace));
        try (Ledger ledger = Ledger.open(workspace)) {
            assertEquals(Optional.empty(), ledger.openRun(KEY));
        }
    }

    @Test void ten_bytes_of_a_ledger_are_refused_by_name() throws Exception {
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 10));
        assertEquals("NPF-602", refusal());
    }

    @Test void text_under_the_ledgers_name_is_refused_and_left_alone() throws Exception {
        byte[] text = "my notes, quite a few of them\n".repeat(300).getBytes(StandardCharsets.UTF_8);
        Files.write(file, text);
        assertEquals("NPF-602", refusal());
        assertArrayEquals(text, Files.readAllBytes(file));
    }

    @Test void a_ledger_cut_in_half_is_refused() throws Exception {
        byte[] all = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(all, all.length / 2));
        assertEquals("NPF-602", refusal());
    }

    @Test void a_row_that_makes_no_sense_is_a_named_fault() throws Exception {
        sql("UPDATE run_status SET status = 'FINE'");
        try (Ledger ledger = Ledger.open(workspace)) {
            assertEquals("NPF-602", assertThrows(NpuflowException.class, () -> ledger.openRun(KEY)).id());
        }
    }

    @Test void a_later_versions_ledger_and_another_programs_database_are_refused() throws Exception {
        sql("PRAGMA user_version = 99");
        assertEquals("NPF-605", refusal());
        sql("PRAGMA application_id = 7");
        assertEquals("NPF-604", refusal());
    }

    @Test void a_link_or_a_directory_in_the_ledgers_place_is_refused() throws Exception {
        Files.move(file, workspace.resolve("elsewhere"));
        Files.createSymbolicLink(file, workspace.resolve("elsewhere"));
        assertEquals("NPF-606", refusal());
        Files.delete(file);
        Files.createDirectory(file);
        assertEquals("NPF-606", refusal());
    }

    @Test void a_workspace_that_is_a_file_is_refused() throws Exception {
        Path plain = Files.writeString(workspace.resolve("plain"), "x");
        assertEquals("NPF-600 workspace %s (a file of this name is in the way): expected a directory that can be written; try another --workspace".formatted(plain),
                assertThrows(NpuflowException.class, () -> Ledger.open(plain)).getMessage());
        assertEquals("NPF-600 workspace %s (not a directory): expected a directory that can be written; try another --workspace".formatted(plain.resolve("below")),
                assertThrows(NpuflowException.class, () -> Ledger.open(plain.resolve("below"))).getMessage());
    }

    @Test void a_lock_file_left_behind_does_not_block() throws Exception {
        Files.writeString(workspace.resolve("lock"), "process 1");
        Ledger.open(workspace).close();
    }

    @Test void a_second_writer_is_refused_while_the_first_is_there_and_not_after() {
        try (Ledger first = Ledger.open(workspace)) {
            assertEquals("NPF-601", refusal());
            assertEquals(Optional.empty(), first.lastKeptPlan(KEY));
        }
        Ledger.open(workspace).close();
    }
}
