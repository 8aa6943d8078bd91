package dev.npuflow.workflow.ledger;

import dev.npuflow.plan.CanonicalJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The runs and what became of them. A status is never overwritten: the last one counts.
final class RunTable {

    private static final String LAST = "(SELECT status FROM run_status WHERE run_status.run = run.id ORDER BY run_status.id DESC LIMIT 1)";
    private static final String SELECT = "SELECT id, model, phase, device, options, schema, " + LAST + " AS status FROM run";
    private static final String OF_KEY = " WHERE model = ? AND phase = ? AND device = ?";

    private final Database database;
    private final Chain chain;

    RunTable(Database database, Chain chain) {
        this.database = database;
        this.chain = chain;
    }

    RunId begin(RunKey key, SortedMap<String, String> options) {
        return database.transaction(() -> {
            database.query("SELECT id FROM run" + OF_KEY + " AND " + LAST + " = 'RUNNING' ORDER BY id", row -> new RunId(row.getLong(1)), key.model(), key.phase().name(), key.device())
                    .forEach(dead -> chain.append(Table.RUN_STATUS, dead.value(), RunStatus.INTERRUPTED.name()));
            long run = chain.append(Table.RUN, key.model(), key.phase().name(), key.device(), CanonicalJson.write(new TreeMap<>(options)), LedgerSchema.CURRENT);
            chain.append(Table.RUN_STATUS, run, RunStatus.RUNNING.name());
            return new RunId(run);
        });
    }

    void setStatus(RunId run, RunStatus status) {
        database.transaction(() -> chain.append(Table.RUN_STATUS, run.value(), status.name()));
    }

    /// The newest first.
    List<Run> runs(RunKey key) {
        return database.query(SELECT + OF_KEY + " ORDER BY id DESC", RunTable::run, key.model(), key.phase().name(), key.device());
    }

    /// Of every key, the oldest first.
    List<Run> runs() {
        return database.query(SELECT + " ORDER BY id", RunTable::run);
    }

    Optional<Run> find(RunId id) {
        return database.query(SELECT + " WHERE id = ?", RunTable::run, id.value()).stream().findFirst();
    }

    List<StatusChange> statuses(RunId run) {
        return database.query("SELECT status, at FROM run_status WHERE run = ? ORDER BY id", row -> new StatusChange(RunStatus.valueOf(row.getString(1)), row.getString(2)),
                run.value());
    }

    /// From its first status to its last, or to now. A clock that was set back meanwhile makes no time negative.
    RunTime time(RunId run) {
        return database.query("SELECT first.at, CASE last.status WHEN 'RUNNING' THEN NULL ELSE last.at END,"
                        + " max(0, unixepoch(CASE last.status WHEN 'RUNNING' THEN CURRENT_TIMESTAMP ELSE last.at END) - unixepoch(first.at))"
                        + " FROM run_status AS first, run_status AS last WHERE first.id = (SELECT min(id) FROM run_status WHERE run = ?)"
                        + " AND last.id = (SELECT max(id) FROM run_status WHERE run = ?)",
                row -> new RunTime(row.getString(1), Optional.ofNullable(row.getString(2)), row.getLong(3)), run.value(), run.value()).getFirst();
    }

    private static Run run(ResultSet row) throws SQLException {
        TreeMap<String, String> options = new TreeMap<>();
        CanonicalJson.read(row.getString("options"), TreeMap.class).forEach((name, value) -> options.put(String.valueOf(name), String.valueOf(value)));
        String status = row.getString("status");
        if (status == null) {
            throw new IllegalArgumentException("a run without a status");
        }
        return new Run(new RunId(row.getLong("id")), new RunKey(row.getString("model"), GatedPhase.valueOf(row.getString("phase")), row.getString("device")), options,
                RunStatus.valueOf(status), row.getInt("schema"));
    }
}
