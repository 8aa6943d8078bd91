package dev.npuflow.workflow.ledger;

import java.util.List;
import java.util.Optional;

/// The attempts of each run, with their histories.
final class AttemptTable {

    private final Database database;
    private final Chain chain;

    AttemptTable(Database database, Chain chain) {
        this.database = database;
        this.chain = chain;
    }

    void begin(RunId run, int ordinal, String skill) {
        database.transaction(() -> database.query("SELECT skill FROM attempt WHERE run = ? AND ordinal = ?", row -> row.getString(1), run.value(), ordinal).isEmpty()
                ? chain.append(Table.ATTEMPT, run.value(), ordinal, skill) : 0);
    }

    /// Within a transaction.
    void append(RunId run, int ordinal, AttemptEvent event) {
        chain.append(Table.EVENT, run.value(), ordinal, event.state().name(), event.reasonCode(), event.reason(), event.planBefore().orElse(null),
                event.planAfter().orElse(null), event.details());
    }

    List<AttemptRecord> attempts(RunId run) {
        return database.query("SELECT ordinal, skill FROM attempt WHERE run = ? ORDER BY ordinal",
                row -> new AttemptRecord(row.getInt(1), row.getString(2), events(run, row.getInt(1))), run.value());
    }

    /// The plan of the last KEPT of a run.
    Optional<String> lastKept(RunId run) {
        return database.query("SELECT plan_after FROM event WHERE state = 'KEPT' AND run = ? ORDER BY id DESC LIMIT 1", row -> row.getString(1), run.value()).stream().findFirst();
    }

    private List<AttemptEvent> events(RunId run, int ordinal) {
        return database.query("SELECT * FROM event WHERE run = ? AND ordinal = ? ORDER BY id",
                row -> new AttemptEvent(AttemptState.valueOf(row.getString("state")), row.getString("code"), row.getString("reason"),
                        Optional.ofNullable(row.getString("plan_before")), Optional.ofNullable(row.getString("plan_after")),
                        row.getString("details")),
                run.value(), ordinal);
    }
}
