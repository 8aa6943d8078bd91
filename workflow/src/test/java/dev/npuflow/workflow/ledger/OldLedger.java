package dev.npuflow.workflow.ledger;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// A ledger of schema 1, made by the statements that npuflow made it with at that time.
final class OldLedger implements AutoCloseable {

    private static final List<String> STATEMENTS = List.of(
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
                    + " verdict TEXT NOT NULL, report TEXT NOT NULL, rules TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)",
            "PRAGMA application_id = 1313883724", "PRAGMA user_version = 1", "PRAGMA journal_mode = WAL");

    private final Connection connection;

    OldLedger(Path workspace) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite"));
        for (String statement : STATEMENTS) {
            execute(statement);
        }
    }

    void execute(String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            statement.execute();
        }
    }

    /// A run with a status, which keeps this plan with a PASS and a measurement of it.
    void run(int id, RunKey key, String status, Optional<String> ended, Deployment kept) throws SQLException {
        execute("INSERT INTO run (id, model, phase, device, options, status, begun, ended) VALUES (?, ?, ?, ?, '{\"prompts\":\"1\"}', ?, '2026-01-01 10:00:00', ?)", id, key.model(),
                key.phase().name(), key.device(), status, ended.orElse(null));
        execute("INSERT OR IGNORE INTO plan (hash, json) VALUES (?, ?)", kept.hash(), CanonicalJson.write(kept));
        execute("INSERT INTO attempt (run, ordinal, skill) VALUES (?, 0, 'baseline')", id);
        execute("INSERT INTO measurement (run, plan, conditions, profile) VALUES (?, ?, ?, '{}')", id, kept.hash(),
                CanonicalJson.write(new Conditions(7, 2048, 32, "d0", "simulated on npu2", "npuflow 0.1.0")));
        execute("INSERT INTO verdict (run, plan, verdict, report, rules) VALUES (?, ?, 'PASS', 'report.json', '{}')", id, kept.hash());
        execute("INSERT INTO event (run, ordinal, state, code, reason, plan_before, plan_after, details) VALUES (?, 0, 'KEPT', 'baseline', 'the start', ?, ?, '{}')", id,
                kept.hash(), kept.hash());
    }

    @Override public void close() throws SQLException {
        connection.close();
    }
}
