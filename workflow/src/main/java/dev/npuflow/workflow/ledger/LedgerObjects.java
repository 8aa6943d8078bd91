package dev.npuflow.workflow.ledger;

import dev.npuflow.workflow.ledger.LedgerAudit.Finding;
import java.util.ArrayList;
import java.util.List;

/// The tables of a ledger, and what else may be in a database: a trigger changes rows that nobody seems to touch.
final class LedgerObjects {

    private static final String GONE = "the table is gone";

    private final Database database;

    LedgerObjects(Database database) {
        this.database = database;
    }

    List<Finding> findings() {
        List<String> tables = LedgerSchema.tables();
        List<Finding> findings = new ArrayList<>();
        List<String> there = database.query("SELECT name FROM sqlite_master WHERE type = 'table'", row -> row.getString(1));
        tables.stream().filter(table -> !there.contains(table)).forEach(table -> findings.add(new Finding(table, "", GONE)));
        database.query("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name", row -> new Finding(row.getString(1), row.getString(2),
                "no npuflow made this " + row.getString(1))).stream().filter(found -> !found.table().equals("table") || !tables.contains(found.row())).forEach(findings::add);
        return findings;
    }

    /// Whether a finding leaves nothing to walk over.
    static boolean lost(Finding finding) {
        return finding.what().equals(GONE);
    }
}
