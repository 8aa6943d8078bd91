package dev.npuflow.workflow.ledger;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.gate.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every run, attempt, plan, time and verdict, in `ledger.sqlite` of the workspace (SQLite, write-ahead log). Only ever added to, apart from a
/// run's status; each call is on disk when it returns, so that a crash at any instant leaves a ledger to go on from.
///
/// A plan can be KEPT only if this run's ledger holds a PASS and a measurement of that very plan: a gate cannot be skipped by a crash.
public final class Ledger implements AutoCloseable {

    private final Path file;
    private final Database database;
    private final @Nullable WorkspaceLock lock;

    private Ledger(Path file, Database database, @Nullable WorkspaceLock lock) {
        this.file = file;
        this.database = database;
        this.lock = lock;
    }

    /// For writing: one process a workspace.
    ///
    /// @throws NpuflowException NPF-600 to NPF-606
    public static Ledger open(Path workspace) {
        Path file = LedgerFile.prepare(workspace);
        WorkspaceLock lock = WorkspaceLock.take(workspace);
        try {
            return new Ledger(file, LedgerFile.open(file, true), lock);
        } catch (NpuflowException e) {
            lock.close();
            throw e;
        }
    }

    /// For reading, also while a run writes.
    ///
    /// @return empty if the workspace has no ledger yet
    public static Optional<Ledger> openToRead(Path workspace) {
        Path file = LedgerFile.confined(workspace);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Database database = LedgerFile.open(file, false);
        if (LedgerFile.begun(database)) {
            return Optional.of(new Ledger(file, database, null));
        }
        database.close();
        return Optional.empty();
    }

    /// Begins a run. One of the same key that is still open becomes INTERRUPTED for good: its process is dead, for we hold the lock.
    public RunId beginRun(RunKey key, SortedMap<String, String> options) {
        return database.transaction(() -> {
            database.update("UPDATE run SET status = 'INTERRUPTED', ended = CURRENT_TIMESTAMP WHERE status = 'RUNNING' AND model = ? AND phase = ?"
                    + " AND device = ?", key.model(), key.phase().name(), key.device());
            return new RunId(database.update("INSERT INTO run (model, phase, device, options, status) VALUES (?, ?, ?, ?, 'RUNNING')",
                    key.model(), key.phase().name(), key.device(), CanonicalJson.write(new TreeMap<>(options))));
        });
    }

    /// The latest run of this key, if it was not finished: what `--resume` goes on with.
    public Optional<Run> openRun(RunKey key) {
        return lastRun(key).filter(run -> run.status().open());
    }

    public Optional<Run> lastRun(RunKey key) {
        return database.query("SELECT * FROM run WHERE model = ? AND phase = ? AND device = ? ORDER BY id DESC LIMIT 1", Ledger::run,
                key.model(), key.phase().name(), key.device()).stream().findFirst();
    }

    /// Every run of this key, the newest first.
    public List<Run> runs(RunKey key) {
        return database.query("SELECT * FROM run WHERE model = ? AND phase = ? AND device = ? ORDER BY id DESC", Ledger::run, key.model(), key.phase().name(),
                key.device());
    }

    public Run run(RunId id) {
        return database.query("SELECT * FROM run WHERE id = ?", Ledger::run, id.value()).getFirst();
    }

    /// When a run began and ended, UTC, to the second; for the one document that holds wall-clock times.
    public RunTime time(RunId run) {
        return database.query("SELECT begun, ended, unixepoch(COALESCE(ended, CURRENT_TIMESTAMP)) - unixepoch(begun) FROM run WHERE id = ?",
                row -> new RunTime(row.getString(1), Optional.ofNullable(row.getString(2)), row.getLong(3)), run.value()).getFirst();
    }

    public void setStatus(RunId run, RunStatus status) {
        database.update("UPDATE run SET status = ?, ended = CASE WHEN ? THEN NULL ELSE CURRENT_TIMESTAMP END WHERE id = ?",
                status.name(), status == RunStatus.RUNNING, run.value());
    }

    /// Marks a run that a failure ended, whatever the failure is: a run that stays RUNNING looks as if a process still worked on it. That the ledger cannot be
    /// written is no reason to keep the failure back.
    public void endedBy(RunId run, Throwable failure) {
        try {
            setStatus(run, RunStatus.ERROR);
        } catch (NpuflowException unwritten) {
            failure.addSuppressed(unwritten);
        }
    }

    /// @return the plan's hash
    public String recordPlan(Deployment plan) {
        String json = CanonicalJson.write(plan);
        String hash = CanonicalJson.hash(plan);
        database.update("INSERT OR IGNORE INTO plan (hash, json) VALUES (?, ?)", hash, json);
        return hash;
    }

    /// Reads a plan back and proves that it is the one: its bytes, and the plan they make, both have the hash asked for.
    ///
    /// @throws NpuflowException NPF-607 if there is none, NPF-608 if it is another
    public Deployment plan(String hash) {
        String json = database.query("SELECT json FROM plan WHERE hash = ?", row -> row.getString(1), hash).stream().findFirst()
                .orElseThrow(() -> NpuflowException.badInput("NPF-607", "plan", hash, format(ROOT, "a plan recorded in %s", file),
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

    /// The hashes of all recorded plans that begin with these digits.
    public List<String> plans(String digits) {
        return database.query("SELECT hash FROM plan WHERE substr(hash, 1, length(?)) = ? ORDER BY hash", row -> row.getString(1), digits, digits);
    }

    /// The final plan of the last run of this key that passed, the baseline included. A run that was stopped, or failed, leaves what held before: its first
    /// event keeps the baseline.
    ///
    /// @throws NpuflowException as [#finalPlan]
    public Optional<String> lastKeptPlan(RunKey key) {
        return passedRuns(key).findFirst().map(this::finalPlan);
    }

    /// The runs of this key that passed, the newest first.
    public Stream<Run> passedRuns(RunKey key) {
        return runs(key).stream().filter(run -> run.status() == RunStatus.PASS);
    }

    /// The plan that a run which passed left.
    ///
    /// @throws NpuflowException NPF-602 if the run kept none, or holds no PASS and measurement of it: that it passed is not believed
    public String finalPlan(Run passed) {
        String plan = database.query("SELECT plan_after FROM event WHERE state = 'KEPT' AND run = ? ORDER BY id DESC LIMIT 1", row -> row.getString(1),
                passed.id().value()).stream().findFirst().orElseThrow(() -> lacks("a plan that run %d kept".formatted(passed.id().value())));
        if (!proven(passed.id(), plan)) {
            throw lacks("a PASS and a measurement of plan %s, which run %d kept".formatted(plan, passed.id().value()));
        }
        return plan;
    }

    /// Begins an attempt; a second call of the same ordinal and skill changes nothing.
    public void beginAttempt(RunId run, int ordinal, String skill) {
        database.update("INSERT OR IGNORE INTO attempt (run, ordinal, skill) VALUES (?, ?, ?)", run.value(), ordinal, skill);
    }

    /// @throws IllegalStateException if the attempt is settled, or is to be kept without a PASS and a measurement of the plan in this run
    /// @throws NpuflowException NPF-609 if it is to be kept for a time that cannot be compared with that of the plan before
    public void recordEvent(RunId run, int ordinal, AttemptEvent event) {
        database.transaction(() -> {
            AttemptRecord attempt = attempts(run).stream().filter(a -> a.ordinal() == ordinal).findFirst()
                    .orElseThrow(() -> new IllegalStateException("attempt " + ordinal + " was not begun"));
            if (attempt.settled()) {
                throw new IllegalStateException("attempt " + ordinal + " is settled: " + attempt.state());
            }
            if (event.state() == AttemptState.KEPT) {
                String kept = event.planAfter().orElseThrow(() -> new IllegalStateException("what is kept has a plan"));
                requireProof(run, kept);
                event.planBefore().ifPresent(before -> requireComparable(run, before, kept));
            }
            return database.update("INSERT INTO event (run, ordinal, state, code, reason, plan_before, plan_after, details)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)", run.value(), ordinal, event.state().name(), event.reasonCode(), event.reason(),
                    event.planBefore().orElse(null), event.planAfter().orElse(null), event.details());
        });
    }

    /// In the order they were begun.
    public List<AttemptRecord> attempts(RunId run) {
        return database.query("SELECT ordinal, skill FROM attempt WHERE run = ? ORDER BY ordinal",
                row -> new AttemptRecord(row.getInt(1), row.getString(2), events(run, row.getInt(1))), run.value());
    }

    public void recordMeasurement(RunId run, Measurement measured) {
        database.update("INSERT INTO measurement (run, plan, conditions, profile) VALUES (?, ?, ?, ?)", run.value(), measured.plan(),
                CanonicalJson.write(measured.conditions()), measured.profile());
    }

    /// Of one plan in one run, oldest first.
    public List<Measurement> measurements(RunId run, String plan) {
        return database.query("SELECT plan, conditions, profile FROM measurement WHERE run = ? AND plan = ? ORDER BY id",
                row -> new Measurement(row.getString(1), CanonicalJson.read(row.getString(2), Conditions.class), row.getString(3)),
                run.value(), plan);
    }

    public void recordVerdict(RunId run, VerdictRecord verdict) {
        database.update("INSERT INTO verdict (run, plan, verdict, report, rules) VALUES (?, ?, ?, ?, ?)", run.value(), verdict.plan(),
                verdict.verdict().name(), verdict.report(), verdict.rules());
    }

    /// Of one plan in one run, oldest first.
    public List<VerdictRecord> verdicts(RunId run, String plan) {
        return database.query("SELECT plan, verdict, report, rules FROM verdict WHERE run = ? AND plan = ? ORDER BY id",
                row -> new VerdictRecord(row.getString(1), Verdict.valueOf(row.getString(2)), row.getString(3), row.getString(4)),
                run.value(), plan);
    }

    /// Reads what a row of this ledger holds as JSON.
    ///
    /// @throws NpuflowException NPF-602 if it is no `type`: no npuflow wrote that row
    public <T> T read(String json, Class<T> type) {
        try {
            return CanonicalJson.read(json, type);
        } catch (IllegalArgumentException e) {
            throw Database.damaged(file, "a row that is no %s".formatted(type.getSimpleName()));
        }
    }

    /// The fault of a ledger without something that npuflow always writes.
    ///
    /// @param what such as `a measurement of plan 12ab…`
    public NpuflowException lacks(String what) {
        return Database.damaged(file, "it lacks " + what);
    }

    @Override public void close() {
        database.close();
        if (lock != null) {
            lock.close();
        }
    }

    /// The last verdict counts: a plan that failed after it had passed has not passed.
    private void requireProof(RunId run, String plan) {
        if (!proven(run, plan)) {
            throw new IllegalStateException("plan " + plan + " cannot be kept: this run holds no PASS and measurement of it");
        }
    }

    private boolean proven(RunId run, String plan) {
        boolean passed = verdicts(run, plan).reversed().stream().findFirst().map(v -> v.verdict() == Verdict.PASS).orElse(false);
        return passed && !measurements(run, plan).isEmpty();
    }

    /// A time that was measured on another prompt, device or number of tokens does not show that a plan is faster.
    private void requireComparable(RunId run, String before, String after) {
        Optional<Conditions> then = measurements(run, before).reversed().stream().map(Measurement::conditions).findFirst();
        Conditions now = measurements(run, after).getLast().conditions();
        then.flatMap(conditions -> conditions.differenceFrom(now)).ifPresent(difference -> {
            throw NpuflowException.environment("NPF-609", format(ROOT, "times of plans %s and %s", before, after), difference,
                    "both measured under the same conditions", "a new run, which measures the baseline again");
        });
    }

    private List<AttemptEvent> events(RunId run, int ordinal) {
        return database.query("SELECT * FROM event WHERE run = ? AND ordinal = ? ORDER BY id",
                row -> new AttemptEvent(AttemptState.valueOf(row.getString("state")), row.getString("code"), row.getString("reason"),
                        Optional.ofNullable(row.getString("plan_before")), Optional.ofNullable(row.getString("plan_after")),
                        row.getString("details")),
                run.value(), ordinal);
    }

    private static Run run(ResultSet row) throws SQLException {
        TreeMap<String, String> options = new TreeMap<>();
        CanonicalJson.read(row.getString("options"), TreeMap.class).forEach((name, value) -> options.put(String.valueOf(name), String.valueOf(value)));
        return new Run(new RunId(row.getLong("id")), new RunKey(row.getString("model"), GatedPhase.valueOf(row.getString("phase")),
                row.getString("device")), options, RunStatus.valueOf(row.getString("status")));
    }

    private NpuflowException altered(String hash) {
        return NpuflowException.environment("NPF-608", "plan in " + file, hash, "the plan that has this hash",
                "a new run without --resume, since the recorded plan was altered, or another --workspace");
    }
}
