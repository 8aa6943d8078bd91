package dev.npuflow.workflow.ledger;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.gate.Verdict;
import java.util.List;
import java.util.Optional;

/// What shows that a plan may be kept: the gate's verdicts on it, and its times.
final class ProofTable {

    private final Database database;
    private final Chain chain;

    ProofTable(Database database, Chain chain) {
        this.database = database;
        this.chain = chain;
    }

    void add(RunId run, Measurement measured) {
        database.transaction(() -> chain.append(Table.MEASUREMENT, run.value(), measured.plan(), CanonicalJson.write(measured.conditions()), measured.profile()));
    }

    void add(RunId run, VerdictRecord verdict) {
        database.transaction(() -> chain.append(Table.VERDICT, run.value(), verdict.plan(), verdict.verdict().name(), verdict.report(), verdict.rules()));
    }

    List<Measurement> measurements(RunId run, String plan) {
        return database.query("SELECT plan, conditions, profile FROM measurement WHERE run = ? AND plan = ? ORDER BY id",
                row -> new Measurement(row.getString(1), CanonicalJson.read(row.getString(2), Conditions.class), row.getString(3)),
                run.value(), plan);
    }

    List<VerdictRecord> verdicts(RunId run, String plan) {
        return database.query("SELECT plan, verdict, report, rules FROM verdict WHERE run = ? AND plan = ? ORDER BY id",
                row -> new VerdictRecord(row.getString(1), Verdict.valueOf(row.getString(2)), row.getString(3), row.getString(4)),
                run.value(), plan);
    }

    /// The last verdict counts: a plan that failed after it had passed has not passed.
    boolean proven(RunId run, String plan) {
        boolean passed = verdicts(run, plan).reversed().stream().findFirst().map(last -> last.verdict() == Verdict.PASS).orElse(false);
        return passed && !measurements(run, plan).isEmpty();
    }

    /// A time that was measured on another prompt, device or number of tokens does not show that a plan is faster.
    ///
    /// @throws NpuflowException NPF-609
    void requireComparable(RunId run, String before, String after) {
        Optional<Conditions> then = measurements(run, before).reversed().stream().map(Measurement::conditions).findFirst();
        Conditions now = measurements(run, after).getLast().conditions();
        then.flatMap(conditions -> conditions.differenceFrom(now)).ifPresent(difference -> {
            throw NpuflowException.environment("NPF-609", format(ROOT, "times of plans %s and %s", before, after), difference,
                    "both measured under the same conditions", "a new run, which measures the baseline again");
        });
    }
}
