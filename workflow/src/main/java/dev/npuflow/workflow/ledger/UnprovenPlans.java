package dev.npuflow.workflow.ledger;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.ledger.LedgerAudit.Finding;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Plans that were kept, and runs that passed, without a PASS and a measurement of that plan in their own run. The ledger refuses to write such a thing; this asks
/// again, of what is written.
final class UnprovenPlans {

    /// Records before the event, by the chain; a run that schema 1 recorded has no such order.
    private static final String KEPT = """
            SELECT event.id, event.plan_after, event.run FROM event JOIN run ON run.id = event.run
            LEFT JOIN chain AS own ON own.record = 'event' AND own.row = CAST(event.id AS TEXT)
            WHERE event.state = 'KEPT' AND (NOT EXISTS (
                SELECT 1 FROM measurement AS m JOIN chain ON chain.record = 'measurement' AND chain.row = CAST(m.id AS TEXT)
                WHERE m.run = event.run AND m.plan = event.plan_after AND (chain.number < own.number OR run.schema = 1))
              OR 'PASS' IS NOT (
                SELECT v.verdict FROM verdict AS v JOIN chain ON chain.record = 'verdict' AND chain.row = CAST(v.id AS TEXT)
                WHERE v.run = event.run AND v.plan = event.plan_after AND CASE run.schema WHEN 1 THEN v.verdict = 'PASS' ELSE chain.number < own.number END
                ORDER BY chain.number DESC LIMIT 1))
            ORDER BY event.id""";

    private final Database database;

    UnprovenPlans(Database database) {
        this.database = database;
    }

    List<Finding> findings() {
        return Stream.concat(kept().stream(), passed().stream()).toList();
    }

    private List<Finding> kept() {
        return database.query(KEPT, row -> new Finding("event", row.getString(1),
                "it keeps plan " + row.getString(2) + " without a PASS and a measurement of it before, in run " + row.getString(3)));
    }

    private List<Finding> passed() {
        Chain unused = new Chain(database);
        try {
            return new RunTable(database, unused).runs().stream().filter(run -> run.status() == RunStatus.PASS && run.key().leavesPlan())
                    .flatMap(run -> passed(run, new AttemptTable(database, unused), new ProofTable(database, unused)).stream()).toList();
        } catch (NpuflowException unreadable) {
            return List.of(new Finding("run", "", "a run or its status is none that npuflow writes"));
        }
    }

    private static Optional<Finding> passed(Run run, AttemptTable attempts, ProofTable proofs) {
        String row = Long.toString(run.id().value());
        try {
            boolean proven = attempts.lastKept(run.id()).filter(plan -> proofs.proven(run.id(), plan)).isPresent();
            return proven ? Optional.empty() : Optional.of(new Finding("run", row, "it says PASS without a PASS and a measurement of the plan that it kept last"));
        } catch (NpuflowException unreadable) {
            return Optional.of(new Finding("run", row, "it says PASS, and what it kept or what proves it is nothing that npuflow writes"));
        }
    }
}
