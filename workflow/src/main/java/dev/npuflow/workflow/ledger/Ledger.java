package dev.npuflow.workflow.ledger;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every run, attempt, plan, time and verdict, in `ledger.sqlite` of the workspace (SQLite, write-ahead log). Records are only ever added, each linked to the one
/// before it ([Chain]); each call is on disk when it returns, so that a crash at any instant leaves a ledger to go on from.
///
/// A plan can be KEPT only if this run's ledger holds a PASS and a measurement of that very plan: a gate cannot be skipped by a crash. A run that says PASS without
/// such proof of the plan that it left is not believed by any method that reads runs: NPF-602.
public final class Ledger implements AutoCloseable {

    private final Database database;
    private final RunTable runs;
    private final PlanTable plans;
    private final AttemptTable attempts;
    private final ProofTable proofs;
    private final @Nullable WorkspaceLock lock;

    private Ledger(Database database, @Nullable WorkspaceLock lock) {
        this.database = database;
        this.lock = lock;
        Chain chain = new Chain(database);
        runs = new RunTable(database, chain);
        plans = new PlanTable(database, chain);
        attempts = new AttemptTable(database, chain);
        proofs = new ProofTable(database, chain);
    }

    /// For writing: one process a workspace. An older ledger is brought to this version's schema.
    ///
    /// @throws NpuflowException NPF-600 to NPF-606; later, from whatever reads or writes, NPF-611 once the ledger or the lock is gone from the workspace
    public static Ledger open(Path workspace) {
        Path file = LedgerFile.prepare(workspace);
        WorkspaceLock lock = WorkspaceLock.take(workspace);
        try {
            Database database = LedgerFile.open(file, true);
            database.watch(new WorkspaceWatch(workspace));
            return new Ledger(database, lock);
        } catch (NpuflowException e) {
            lock.close();
            throw e;
        }
    }

    /// For reading, also while a run writes. An older ledger is first brought to this version's schema, for which no run may hold the workspace.
    ///
    /// @return empty if the workspace has no ledger yet
    /// @throws NpuflowException NPF-601 to NPF-606
    public static Optional<Ledger> openToRead(Path workspace) {
        Path file = LedgerFile.confined(workspace);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Database database = LedgerFile.open(file, false);
        if (!LedgerFile.begun(database)) {
            database.close();
            return Optional.empty();
        }
        if (LedgerFile.outdated(database)) {
            database.close();
            open(workspace).close();
            return openToRead(workspace);
        }
        return Optional.of(new Ledger(database, null));
    }

    /// Begins a run. One of the same key that is still open becomes INTERRUPTED for good: its process is dead, for we hold the lock.
    public RunId beginRun(RunKey key, SortedMap<String, String> options) {
        return runs.begin(key, options);
    }

    /// The latest run of this key, if it was not finished: what `--resume` goes on with.
    public Optional<Run> openRun(RunKey key) {
        return lastRun(key).filter(run -> run.status().open());
    }

    public Optional<Run> lastRun(RunKey key) {
        return runs(key).stream().findFirst();
    }

    /// Every run of this key, the newest first.
    public List<Run> runs(RunKey key) {
        return runs.runs(key).stream().map(this::believed).toList();
    }

    /// Every run of every key, the oldest first, as recorded: what proves a PASS is for the reader to show.
    public List<Run> history() {
        return runs.runs();
    }

    /// @throws IllegalStateException if there is none
    public Run run(RunId id) {
        return find(id).orElseThrow(() -> new IllegalStateException("no run " + id.value()));
    }

    /// If there is one of this number.
    public Optional<Run> find(RunId id) {
        return runs.find(id).map(this::believed);
    }

    /// What became of a run, oldest first: begun, stopped, gone on with, ended.
    public List<StatusChange> statuses(RunId run) {
        return runs.statuses(run);
    }

    /// When a run began and ended, UTC, to the second; for the one document that holds wall-clock times.
    public RunTime time(RunId run) {
        return runs.time(run);
    }

    /// @throws IllegalStateException for a PASS of a run that has left no plan with a PASS and a measurement
    public void setStatus(RunId run, RunStatus status) {
        boolean leavesPlan = runs.find(run).map(Run::key).filter(RunKey::leavesPlan).isPresent();
        if (status == RunStatus.PASS && leavesPlan && !proven(run)) {
            throw new IllegalStateException("run " + run.value() + " cannot pass: it holds no PASS and measurement of the plan that it kept last");
        }
        runs.setStatus(run, status);
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
        return plans.add(plan);
    }

    /// Reads a plan back and proves that it is the one: its bytes, and the plan they make, both have the hash asked for.
    ///
    /// @throws NpuflowException NPF-607 if there is none, NPF-608 if it is another
    public Deployment plan(String hash) {
        return plans.plan(hash);
    }

    /// The hashes of all recorded plans that begin with these digits.
    public List<String> plans(String digits) {
        return plans.beginningWith(digits);
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
        String plan = attempts.lastKept(passed.id()).orElseThrow(() -> lacks("a plan that run " + passed.id().value() + " kept"));
        if (!proofs.proven(passed.id(), plan)) {
            throw lacks("a PASS and a measurement of plan " + plan + ", which run " + passed.id().value() + " kept");
        }
        return plan;
    }

    /// Begins an attempt; a second call of the same ordinal and skill changes nothing.
    public void beginAttempt(RunId run, int ordinal, String skill) {
        attempts.begin(run, ordinal, skill);
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
                if (!proofs.proven(run, kept)) {
                    throw new IllegalStateException("plan " + kept + " cannot be kept: this run holds no PASS and measurement of it");
                }
                event.planBefore().ifPresent(before -> proofs.requireComparable(run, before, kept));
            }
            attempts.append(run, ordinal, event);
            return true;
        });
    }

    /// In the order they were begun.
    public List<AttemptRecord> attempts(RunId run) {
        return attempts.attempts(run);
    }

    public void recordMeasurement(RunId run, Measurement measured) {
        proofs.add(run, measured);
    }

    /// Of one plan in one run, oldest first.
    public List<Measurement> measurements(RunId run, String plan) {
        return proofs.measurements(run, plan);
    }

    public void recordVerdict(RunId run, VerdictRecord verdict) {
        proofs.add(run, verdict);
    }

    /// Of one plan in one run, oldest first.
    public List<VerdictRecord> verdicts(RunId run, String plan) {
        return proofs.verdicts(run, plan);
    }

    /// Walks the chain of records, and looks for a plan that was kept without proof.
    ///
    /// @param noted a head of this ledger that was noted at some time
    public LedgerAudit audit(Optional<String> noted) {
        return LedgerAudit.of(database, noted);
    }

    /// Reads what a row of this ledger holds as JSON.
    ///
    /// @throws NpuflowException NPF-602 if it is no `type`: no npuflow wrote that row
    public <T> T read(String json, Class<T> type) {
        try {
            return CanonicalJson.read(json, type);
        } catch (IllegalArgumentException e) {
            throw Database.damaged(database.file(), "a row that is no %s".formatted(type.getSimpleName()));
        }
    }

    /// The fault of a ledger without something that npuflow always writes.
    ///
    /// @param what such as `a measurement of plan 12ab…`
    public NpuflowException lacks(String what) {
        return Database.damaged(database.file(), "it lacks " + what);
    }

    @Override public void close() {
        database.close();
        if (lock != null) {
            lock.close();
        }
    }

    private boolean proven(RunId run) {
        return attempts.lastKept(run).filter(plan -> proofs.proven(run, plan)).isPresent();
    }

    private Run believed(Run run) {
        if (run.status() == RunStatus.PASS && run.key().leavesPlan()) {
            finalPlan(run);
        }
        return run;
    }
}
