package dev.npuflow.workflow.ledger;

import dev.npuflow.workflow.provenance.Build;
import java.util.List;
import java.util.stream.Stream;

/// The tables of a ledger, and how those of an older one become these. The schema's number is SQLite's `user_version`: it stands in the file's header, is
/// read before any table is believed to be there, and is written in the transaction that makes the tables.
final class LedgerSchema {

    /// "NPFL": tells a ledger from another program's database.
    static final int APPLICATION = 0x4e50464c;

    /// 1: a run's status was overwritten, and records were not chained. 2: now.
    static final int CURRENT = 2;

    private static final List<String> SHARED = List.of(
            "CREATE TABLE attempt (run INTEGER NOT NULL REFERENCES run, ordinal INTEGER NOT NULL, skill TEXT NOT NULL, PRIMARY KEY (run, ordinal))",
            "CREATE TABLE event (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, ordinal INTEGER NOT NULL, state TEXT NOT NULL, code TEXT NOT NULL,"
                    + " reason TEXT NOT NULL, plan_before TEXT REFERENCES plan, plan_after TEXT REFERENCES plan, details TEXT NOT NULL,"
                    + " at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, FOREIGN KEY (run, ordinal) REFERENCES attempt)",
            "CREATE TABLE plan (hash TEXT PRIMARY KEY, json TEXT NOT NULL)",
            "CREATE TABLE measurement (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, plan TEXT NOT NULL REFERENCES plan,"
                    + " conditions TEXT NOT NULL, profile TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)",
            "CREATE TABLE verdict (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, plan TEXT NOT NULL REFERENCES plan,"
                    + " verdict TEXT NOT NULL, report TEXT NOT NULL, rules TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)");

    private static final String RUN = "CREATE TABLE run (id INTEGER PRIMARY KEY, model TEXT NOT NULL, phase TEXT NOT NULL, device TEXT NOT NULL, options TEXT NOT NULL,"
            + " schema INTEGER NOT NULL)";

    /// What schema 2 has more than schema 1.
    private static final List<String> CHAINED = List.of(
            "CREATE TABLE run_status (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, status TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)",
            "CREATE TABLE migration (id INTEGER PRIMARY KEY, schema_before INTEGER NOT NULL, schema_after INTEGER NOT NULL, build TEXT NOT NULL,"
                    + " at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)",
            "CREATE TABLE chain (number INTEGER PRIMARY KEY, record TEXT NOT NULL, row TEXT NOT NULL, content TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (record, row))",
            "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), records INTEGER NOT NULL, hash TEXT NOT NULL, record TEXT NOT NULL, row TEXT NOT NULL)",
            "INSERT INTO head (id, records, hash, record, row) VALUES (1, 0, '" + Chain.START + "', '', '')");

    private LedgerSchema() {}

    /// Names of all tables.
    static List<String> tables() {
        return Stream.concat(Stream.of(Table.values()).map(Table::sql), Stream.of("chain", "head")).sorted().toList();
    }

    static void create(Database database) {
        database.transaction(() -> {
            database.update(RUN);
            SHARED.forEach(database::update);
            CHAINED.forEach(database::update);
            database.update("PRAGMA application_id = " + APPLICATION);
            database.update("PRAGMA user_version = " + CURRENT);
            return true;
        });
    }

    /// Brings a ledger of schema 1 to this one, all or nothing. Its rows are linked as they are found: of what happened to them before, the chain says
    /// nothing, and its first link, the migration's, says so. Its runs keep the number of the schema under which they were begun.
    static void migrate(Database database) {
        database.transaction(() -> {
            CHAINED.forEach(database::update);
            database.update("ALTER TABLE run ADD COLUMN schema INTEGER NOT NULL DEFAULT 1");
            database.update("INSERT INTO run_status (run, status, at) SELECT id, 'RUNNING', begun FROM run ORDER BY id");
            database.update("INSERT INTO run_status (run, status, at) SELECT id, status, COALESCE(ended, begun) FROM run WHERE status <> 'RUNNING' ORDER BY id");
            Stream.of("status", "begun", "ended").forEach(column -> database.update("ALTER TABLE run DROP COLUMN " + column));
            Chain chain = new Chain(database);
            chain.append(Table.MIGRATION, 1, CURRENT, Build.identity());
            Stream.of(Table.values()).filter(table -> table != Table.MIGRATION).forEach(chain::adopt);
            database.update("PRAGMA user_version = " + CURRENT);
            return true;
        });
    }
}
