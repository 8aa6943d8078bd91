package dev.npuflow.workflow.ledger;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.sqlite.SQLiteConfig;

/// Opens the database file, and believes nothing about it.
final class LedgerFile {

    static final String NAME = "ledger.sqlite";

    private static final int BUSY_MILLISECONDS = 5000;

    private LedgerFile() {}

    /// Makes the directory if there is none.
    ///
    /// @throws NpuflowException NPF-600, NPF-606
    static Path prepare(Path workspace) {
        Path directory = workspace.toAbsolutePath().normalize();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-600", format(ROOT, "workspace %s", directory), FileReason.of(e),
                    "a directory that can be written", "another --workspace");
        }
        return confined(directory);
    }

    /// The SQLite driver reads what follows a question mark as options, and would write through a link.
    static Path confined(Path workspace) {
        Path file = workspace.toAbsolutePath().normalize().resolve(NAME);
        boolean odd = Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        if (odd || file.toString().contains("?")) {
            throw NpuflowException.badInput("NPF-606", "ledger", file, "a plain file, and no '?' in its path",
                    "another --workspace");
        }
        return file;
    }

    /// @param writable whether it is created, or brought to this version's schema
    /// @throws NpuflowException NPF-602 damaged, NPF-603 unreadable, NPF-604 another program's, NPF-605 a later version's
    static Database open(Path file, boolean writable) {
        SQLiteConfig config = new SQLiteConfig();
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setBusyTimeout(BUSY_MILLISECONDS);
        try {
            Database database = new Database(file, config.createConnection("jdbc:sqlite:" + file));
            try {
                check(file, database);
                if (writable) {
                    prepare(database);
                }
                return database;
            } catch (NpuflowException e) {
                database.close();
                throw e;
            }
        } catch (SQLException e) {
            throw Database.fault(file, e);
        }
    }

    /// Whether it holds a schema: a crash between making the file and the first transaction leaves one that does not.
    static boolean begun(Database database) {
        return database.query("SELECT count(*) FROM sqlite_master", row -> row.getInt(1)).getFirst() > 0;
    }

    /// Whether its schema is an older one.
    static boolean outdated(Database database) {
        return schema(database) < LedgerSchema.CURRENT;
    }

    private static int schema(Database database) {
        return database.query("PRAGMA user_version", row -> row.getInt(1)).getFirst();
    }

    /// Changes nothing.
    private static void check(Path file, Database database) {
        List<String> complaints = database.query("PRAGMA quick_check(1)", row -> row.getString(1));
        if (!complaints.equals(List.of("ok"))) {
            throw Database.damaged(file, "its pages contradict each other");
        }
        if (begun(database)) {
            requireOurs(file, database);
        }
    }

    private static void prepare(Database database) {
        database.query("PRAGMA journal_mode = WAL", row -> row.getString(1));
        if (!begun(database)) {
            LedgerSchema.create(database);
        } else if (outdated(database)) {
            LedgerSchema.migrate(database);
        }
    }

    private static void requireOurs(Path file, Database database) {
        int application = database.query("PRAGMA application_id", row -> row.getInt(1)).getFirst();
        if (application != LedgerSchema.APPLICATION) {
            throw NpuflowException.badInput("NPF-604", file.toString(), format(ROOT, "application id %d", application), "a ledger of npuflow",
                    "another --workspace");
        }
        int schema = schema(database);
        if (schema < 1 || schema > LedgerSchema.CURRENT) {
            throw NpuflowException.badInput("NPF-605", file.toString(), format(ROOT, "schema %d", schema), format(ROOT, "schema 1 to %d", LedgerSchema.CURRENT),
                    "the npuflow that wrote it, or another --workspace");
        }
    }
}
