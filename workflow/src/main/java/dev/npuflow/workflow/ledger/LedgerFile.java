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

    /// "NPFL": tells a ledger from another program's database.
    private static final int APPLICATION = 0x4e50464c;
    private static final int SCHEMA = 1;
    private static final int BUSY_MILLISECONDS = 5000;

    private static final List<String> TABLES = List.of(
            "CREATE TABLE run (id INTEGER PRIMARY KEY, model TEXT NOT NULL, phase TEXT NOT NULL, device TEXT NOT NULL, options TEXT NOT NULL,"
                    + " status TEXT NOT NULL, begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, ended TEXT)",
            "CREATE TABLE attempt (run INTEGER NOT NULL REFERENCES run, ordinal INTEGER NOT NULL, skill TEXT NOT NULL, PRIMARY KEY (run, ordinal))",
            "CREATE TABLE event (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, ordinal INTEGER NOT NULL, state TEXT NOT NULL, code TEXT NOT NULL,"
                    + " reason TEXT NOT NULL, plan_before TEXT REFERENCES plan, plan_after TEXT REFERENCES plan, details TEXT NOT NULL,"
                    + " at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, FOREIGN KEY (run, ordinal) REFERENCES attempt)",
            "CREATE TABLE plan (hash TEXT PRIMARY KEY, json TEXT NOT NULL)",
            "CREATE TABLE measurement (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, plan TEXT NOT NULL REFERENCES plan,"
                    + " conditions TEXT NOT NULL, profile TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)",
            "CREATE TABLE verdict (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, plan TEXT NOT NULL REFERENCES plan,"
                    + " verdict TEXT NOT NULL, report TEXT NOT NULL, rules TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)");

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

    /// @param writable whether it is created and brought to this version's schema
    /// @throws NpuflowException NPF-602 damaged, NPF-603 unreadable, NPF-604 another program's, NPF-605 a later version's
    static Database open(Path file, boolean writable) {
        SQLiteConfig config = new SQLiteConfig();
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setBusyTimeout(BUSY_MILLISECONDS);
        try {
            Database database = new Database(file, config.createConnection("jdbc:sqlite:" + file));
            try {
                check(file, database, writable);
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

    /// Changes nothing before it is sure that the file is ours.
    private static void check(Path file, Database database, boolean writable) {
        List<String> complaints = database.query("PRAGMA quick_check(1)", row -> row.getString(1));
        if (!complaints.equals(List.of("ok"))) {
            throw Database.damaged(file, "its pages contradict each other");
        }
        if (begun(database)) {
            requireOurs(file, database);
        }
        if (writable) {
            database.query("PRAGMA journal_mode = WAL", row -> row.getString(1));
        }
        if (writable && !begun(database)) {
            create(database);
        }
    }

    private static void requireOurs(Path file, Database database) {
        int application = database.query("PRAGMA application_id", row -> row.getInt(1)).getFirst();
        int schema = database.query("PRAGMA user_version", row -> row.getInt(1)).getFirst();
        if (application != APPLICATION) {
            throw NpuflowException.badInput("NPF-604", file.toString(), format(ROOT, "application id %d", application), "a ledger of npuflow",
                    "another --workspace");
        }
        if (schema != SCHEMA) {
            throw NpuflowException.badInput("NPF-605", file.toString(), format(ROOT, "schema %d", schema), format(ROOT, "schema %d", SCHEMA),
                    "the npuflow that wrote it, or another --workspace");
        }
    }

    private static void create(Database database) {
        database.transaction(() -> {
            TABLES.forEach(database::update);
            database.update("PRAGMA application_id = " + APPLICATION);
            database.update("PRAGMA user_version = " + SCHEMA);
            return true;
        });
    }
}
