package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class DatabaseTest {

    @TempDir private Path folder;
    private Database database;

    @BeforeEach void open() throws SQLException {
        Path file = folder.resolve("a.sqlite");
        database = new Database(file, DriverManager.getConnection("jdbc:sqlite:" + file));
        database.update("CREATE TABLE word (text TEXT)");
    }

    @AfterEach void close() {
        database.close();
    }

    private List<String> words() {
        return database.query("SELECT text FROM word ORDER BY rowid", row -> row.getString(1));
    }

    @Test void a_transaction_that_ends_well_leaves_all_of_its_rows() {
        assertEquals("done", database.transaction(() -> {
            database.update("INSERT INTO word VALUES ('a')");
            database.update("INSERT INTO word VALUES ('b')");
            return "done";
        }));
        assertEquals(List.of("a", "b"), words());
    }

    @Test void a_transaction_that_fails_leaves_none_of_its_rows() {
        assertThrows(IllegalStateException.class, () -> database.transaction(() -> {
            database.update("INSERT INTO word VALUES ('a')");
            throw new IllegalStateException("in the middle");
        }));
        assertEquals(List.of(), words());
    }

    @ParameterizedTest @CsvSource({"SQLITE_FULL, disk full", "SQLITE_READONLY_DBMOVED, it cannot be written", "SQLITE_BUSY, another process uses it",
        "SQLITE_LOCKED_SHAREDCACHE, another process uses it", "SQLITE_PERM, permission denied", "SQLITE_AUTH, permission denied", "SQLITE_CANTOPEN, it cannot be opened",
        "SQLITE_IOERR_READ, reading or writing failed"})
    void a_failure_of_the_driver_is_told_in_plain_words(SQLiteErrorCode code, String words) {
        NpuflowException fault = Database.fault(folder, new SQLiteException("driver's words", code));
        assertEquals("NPF-603", fault.id());
        assertTrue(fault.getMessage().startsWith("NPF-603 %s (%s): expected".formatted(folder, words)), fault.getMessage());
    }

    @ParameterizedTest @EnumSource(names = {"SQLITE_NOTADB", "SQLITE_CORRUPT"})
    void a_file_that_is_no_intact_database_is_told_as_damaged(SQLiteErrorCode code) {
        assertEquals("NPF-602", Database.fault(folder, new SQLiteException("driver's words", code)).id());
    }

    @Test void a_disk_that_fills_up_within_a_transaction_is_told_so_and_leaves_none_of_it() {
        database.update("INSERT INTO word VALUES ('before')");
        database.query("PRAGMA max_page_count = 4", row -> row.getInt(1));
        NpuflowException full = assertThrows(NpuflowException.class, () -> database.transaction(() -> {
            for (int i = 0; i < 100; i++) {
                database.update("INSERT INTO word VALUES (?)", "x".repeat(1000));
            }
            return true;
        }));
        assertTrue(full.getMessage().startsWith("NPF-603 ") && full.getMessage().contains("(disk full)"), full.getMessage());
        assertEquals(List.of("before"), words());
        database.query("PRAGMA max_page_count = 1000", row -> row.getInt(1));
        assertEquals(true, database.transaction(() -> database.update("INSERT INTO word VALUES ('after')") > 0));
        assertEquals(List.of("before", "after"), words());
    }

    /// A run that is interrupted is marked by another thread than its own.
    @Test void another_thread_waits_until_a_transaction_has_ended() throws InterruptedException {
        Thread other = new Thread(() -> database.transaction(() -> database.update("INSERT INTO word VALUES ('second')")));
        database.transaction(() -> {
            database.update("INSERT INTO word VALUES ('first')");
            other.start();
            while (other.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            return database.update("INSERT INTO word VALUES ('third')");
        });
        other.join();
        assertEquals(List.of("first", "third", "second"), words());
    }

    @Test void a_transaction_can_begin_after_one_that_failed() {
        a_transaction_that_fails_leaves_none_of_its_rows();
        a_transaction_that_ends_well_leaves_all_of_its_rows();
    }
}
