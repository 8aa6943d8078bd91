package dev.npuflow.workflow.ledger;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import java.util.List;

/// The plans, each once, as their canonical JSON under their hash.
final class PlanTable {

    private final Database database;
    private final Chain chain;

    PlanTable(Database database, Chain chain) {
        this.database = database;
        this.chain = chain;
    }

    String add(Deployment plan) {
        String json = CanonicalJson.write(plan);
        String hash = CanonicalJson.hash(plan);
        return database.transaction(() -> {
            if (database.query("SELECT hash FROM plan WHERE hash = ?", row -> row.getString(1), hash).isEmpty()) {
                chain.append(Table.PLAN, hash, json);
            }
            return hash;
        });
    }

    /// Proves that it is the one: its bytes, and the plan they make, both have the hash asked for.
    Deployment plan(String hash) {
        String json = database.query("SELECT json FROM plan WHERE hash = ?", row -> row.getString(1), hash).stream().findFirst()
                .orElseThrow(() -> NpuflowException.badInput("NPF-607", "plan", hash, format(ROOT, "a plan recorded in %s", database.file()),
                        "the --workspace in which it was recorded, or npuflow plan for the plans there are"));
        try {
            Deployment plan = CanonicalJson.read(json, Deployment.class);
            if (plan.hash().equals(hash) && CanonicalJson.write(plan).equals(json)) {
                return plan;
            }
        } catch (IllegalArgumentException e) {
            throw altered(hash);
        }
        throw altered(hash);
    }

    List<String> beginningWith(String digits) {
        return database.query("SELECT hash FROM plan WHERE substr(hash, 1, length(?)) = ? ORDER BY hash", row -> row.getString(1), digits, digits);
    }

    private NpuflowException altered(String hash) {
        return NpuflowException.environment("NPF-608", "plan in " + database.file(), hash, "the plan that has this hash",
                "a new run without --resume, since the recorded plan was altered, or another --workspace");
    }
}
