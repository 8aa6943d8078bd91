package dev.npuflow.workflow.cli;

import dev.npuflow.fault.Fault;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.fault.OneLine;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.lens.Diagnoser;
import dev.npuflow.workflow.lens.Diagnosis;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.FullModelPhase;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseJournal;
import dev.npuflow.workflow.phase.PhaseLoop;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.report.LayerFigures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/// Runs phases on an opened model, each after the earlier ones that it needs.
final class PhaseRunner {

    private static final String INTERRUPTED = "interrupted: the plan that was kept last still holds; --resume goes on";

    private final OpenedDeployment opened;
    private final Ledger ledger;
    private final PhaseCommandOptions options;
    private final Progress progress;
    private final FaultOutput output;
    private final PhaseDocuments documents;
    private final SortedMap<String, String> judge;

    PhaseRunner(OpenedDeployment opened, Ledger ledger, PhaseCommandOptions options, Progress progress, FaultOutput output) {
        this.opened = opened;
        this.ledger = ledger;
        this.options = options;
        this.progress = progress;
        this.output = output;
        PhaseOptions asked = options.phaseOptions(opened, PhaseDescription.DECODE, options.skills(output.err()));
        this.judge = RunDescription.of(asked, opened.prompts(), opened.gateFile());
        this.documents = new PhaseDocuments(opened, ledger, RunDescription.departures(opened, GatedPhase.DECODE, judge));
    }

    /// What a phase came to, and its document; none of a dry run.
    record Finished(PhaseResult result, Optional<WrittenDocument> document) {}

    /// Runs this phase, and first the earlier ones that have not passed: those with every skill at hand, since the choice of skills is for the phase that was asked for.
    ///
    /// @throws NpuflowException NPF-813 where an earlier phase has not passed and may not be run, NPF-814 where it was run and did not pass
    Finished run(GatedPhase phase) {
        return run(phase, options::skills);
    }

    private Finished run(GatedPhase phase, Function<PrintWriter, List<LoadedSkill>> skills) {
        return switch (phase) {
            case FULL_MODEL -> fullModel(start(phase));
            case PREFILL, DECODE -> {
                List<LoadedSkill> chosen = skills.apply(output.err());
                yield optimize(PhaseDescription.of(phase), start(phase), chosen);
            }
        };
    }

    /// An interrupted run of an earlier phase counts: it may have been this phase's command that ran it first.
    ///
    /// @throws NpuflowException NPF-811 if `--resume` was asked for and neither this phase nor an earlier one has an interrupted run
    void requireOpenRun(GatedPhase phase) {
        if (options.resume() && Arrays.stream(GatedPhase.values()).filter(each -> each.number() <= phase.number())
                .allMatch(each -> ledger.openRun(opened.runKey(each)).isEmpty())) {
            throw NpuflowException.badInput("NPF-811", "--resume", opened.model().name(),
                    "an interrupted run of this model on this device in the ledger", "leaving --resume out");
        }
    }

    /// The plan that a phase starts from: the one that the phase before left.
    private Deployment start(GatedPhase phase) {
        return switch (phase) {
            case FULL_MODEL -> opened.target().baseline();
            case PREFILL -> passed(GatedPhase.FULL_MODEL);
            case DECODE -> passed(GatedPhase.PREFILL);
        };
    }

    /// The plan that a passed phase left; the phase is run if it has not passed from the plan that it would start from today. A dry run measures nothing, so
    /// it cannot run a phase that optimizes before its own: it starts from the plan that such a phase starts from.
    private Deployment passed(GatedPhase phase) {
        Deployment start = start(phase);
        Optional<String> left = recorded(phase, start.hash());
        if (left.isEmpty() && !options.runsPrerequisites()) {
            throw NpuflowException.badInput("NPF-813", "phase %d of %s".formatted(phase.number(), opened.model().name()),
                    judgedByOthers(phase) ? "passed, but on other prompts or against another gate file" : "not passed",
                    "an earlier phase that passed", "leaving --no-prerequisites out, or npuflow phase%d %s".formatted(phase.number(), opened.model().name()));
        }
        if (left.isEmpty() && options.dryRun() && phase != GatedPhase.FULL_MODEL) {
            output.err().println(OneLine.of("phase %d of %s has not passed: the dry run starts from the plan that phase %d would start from"
                    .formatted(phase.number(), opened.model().name(), phase.number())));
            return start;
        }
        if (left.isEmpty()) {
            PhaseResult result = run(phase, options::everySkill).result();
            if (result.status() != PhaseResult.Status.PASS) {
                throw new NpuflowException(new Fault("NPF-814", PhaseOutput.exitCode(result), "phase %d of %s".formatted(phase.number(), opened.model().name()),
                        Optional.of("%s: %s".formatted(result.status(), result.reason())), "an earlier phase that passes", "its document, " + phase.document()));
            }
            left = recorded(phase, start.hash());
        }
        return ledger.plan(left.orElseThrow());
    }

    private boolean judgedByOthers(GatedPhase phase) {
        return ledger.passedRuns(opened.runKey(phase)).findFirst().filter(run -> !RunDescription.sameJudge(run.options(), judge)).isPresent();
    }

    /// The newest run that passed counts, by the same judge and from the same plan; one that was stopped since takes nothing back.
    private Optional<String> recorded(GatedPhase phase, String start) {
        return ledger.passedRuns(opened.runKey(phase)).filter(run -> RunDescription.sameJudge(run.options(), judge))
                .filter(run -> new RecordedPhase(ledger, run.id()).startPlan().equals(start)).findFirst().map(ledger::finalPlan);
    }

    private Finished fullModel(Deployment start) {
        RunKey key = opened.runKey(GatedPhase.FULL_MODEL);
        PhaseOptions phaseOptions = options.phaseOptions(opened, PhaseDescription.PREFILL, List.of());
        RunId run = ledger.beginRun(key, RunDescription.of(phaseOptions, opened.prompts(), opened.gateFile()));
        return guarded(run, journal -> {
            PhaseResult result = new FullModelPhase(opened.target(), phaseOptions, opened.prompts().canonical(), journal, this::layers).run(start);
            return new Finished(result, Optional.of(documents.write(run, result.status().name())));
        });
    }

    /// A dry run judges no plan that it makes: it stands beside the phase's runs and no later phase builds on it.
    private Finished optimize(PhaseDescription description, Deployment start, List<LoadedSkill> skills) {
        PhaseOptions phaseOptions = options.phaseOptions(opened, description, skills);
        RunKey key = opened.runKey(description.gated());
        RunId run = begin(phaseOptions.dryRun() ? key.dryRun() : key, RunDescription.of(phaseOptions, opened.prompts(), opened.gateFile(), skills));
        return guarded(run, journal -> {
            PhaseResult result = new PhaseLoop(opened.target(), description, phaseOptions, opened.prompts().canonical(), journal).run(start, skills);
            return new Finished(result, phaseOptions.dryRun() ? Optional.empty() : Optional.of(documents.write(run, result.status().name())));
        });
    }

    private List<LayerFigures> layers(Deployment deployment, Prompt prompt) {
        Diagnosis diagnosis = new Diagnoser(opened.model(), opened.target()::open).diagnose(deployment, prompt, 0);
        return diagnosis.steps().getFirst().layers().stream().map(layer -> new LayerFigures(layer.layer(), layer.figures().cosine().p5(),
                layer.figures().cosine().min(), layer.figures().cosine().median(), layer.figures().errors().maxAbs(),
                layer.figures().errors().maxRel())).toList();
    }

    private interface PhaseBody {
        Finished run(PhaseJournal journal);
    }

    private Finished guarded(RunId run, PhaseBody body) {
        progress.run("phase " + ledger.run(run).key().phase().number());
        PhaseJournal journal = new PhaseJournal(ledger, run, opened.runKey(GatedPhase.DECODE).device(), progress, new GateReportFiles(opened));
        try (RunGuard guard = new RunGuard(output, ledger, run, INTERRUPTED, journal::current)) {
            Finished finished = body.run(journal);
            ledger.setStatus(run, switch (finished.result().status()) {
                case PASS -> RunStatus.PASS;
                case FAIL -> RunStatus.FAIL;
                case ERROR -> RunStatus.ERROR;
            });
            if (finished.document().isPresent()) {
                documents.writeProgress(run);
            }
            return finished;
        } catch (RuntimeException | Error e) {
            ledger.endedBy(run, e);
            if (e instanceof NpuflowException fault && !options.dryRun()) {
                tell(run, fault);
            }
            throw e;
        }
    }

    /// That documents cannot be written is no reason to keep the first fault back.
    private void tell(RunId run, NpuflowException fault) {
        try {
            documents.writeFault(run, fault);
            documents.writeProgress(run);
        } catch (NpuflowException unwritten) {
            fault.addSuppressed(unwritten);
        }
    }

    private RunId begin(RunKey key, SortedMap<String, String> described) {
        Optional<Run> open = options.resume() ? ledger.openRun(key) : Optional.empty();
        if (open.isEmpty()) {
            return ledger.beginRun(key, described);
        }
        if (open.get().begunByOlder()) {
            throw NpuflowException.badInput("NPF-612", "--resume of run %d".formatted(open.get().id().value()), "begun by an older npuflow, which recorded less of what judges a plan",
                    "a run that this npuflow began", "leaving --resume out");
        }
        List<String> differences = RunDescription.differences(open.get().options(), described);
        if (!differences.isEmpty()) {
            throw NpuflowException.badInput("NPF-812", "--resume of run %d".formatted(open.get().id().value()), String.join("; ", differences),
                    "what the interrupted run was begun with", "the same again, or leaving --resume out");
        }
        ledger.setStatus(open.get().id(), RunStatus.RUNNING);
        return open.get().id();
    }
}
