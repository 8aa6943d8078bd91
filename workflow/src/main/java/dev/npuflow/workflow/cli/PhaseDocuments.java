package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ablation.Ablation;
import dev.npuflow.workflow.ablation.AblationRun;
import dev.npuflow.workflow.ablation.AblationText;
import dev.npuflow.workflow.cli.DocumentPlaces.Place;
import dev.npuflow.workflow.file.SmallText;
import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunTime;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.report.DebugLog;
import dev.npuflow.workflow.report.DevelopmentIndex;
import dev.npuflow.workflow.report.FullModelDocument;
import dev.npuflow.workflow.report.PhaseDocument;
import dev.npuflow.workflow.report.ProgressDocument;
import dev.npuflow.workflow.report.TimingDocument;
import dev.npuflow.workflow.report.TimingDocument.TimingLine;
import dev.npuflow.workflow.report.todo.TodoFacts.PhaseLine;
import dev.npuflow.workflow.scaffold.ModelDocuments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.stream.Stream;

/// Writes the phases' documents, from the ledger, each run's to its place.
final class PhaseDocuments {

    private final OpenedDeployment opened;
    private final Ledger ledger;
    private final DocumentPlaces places;
    private final List<String> command;
    private final SequencedSet<Path> files = new LinkedHashSet<>();

    /// @param command what of the options of the command that runs phases is not as usual: it makes experiments of the earlier phases, too
    PhaseDocuments(OpenedDeployment opened, Ledger ledger, List<String> command) {
        this.opened = opened;
        this.ledger = ledger;
        this.places = new DocumentPlaces(opened, ledger);
        this.command = List.copyOf(command);
    }

    /// @param status of the run: `PASS`, `FAIL` or `ERROR`
    WrittenDocument write(RunId run, String status) {
        return write(ledger.run(run), status, command);
    }

    /// The document of a Phase 5, with an ablation that was just made on its baseline.
    ///
    /// @param ablation the options that it was made with
    WrittenDocument writeAblation(Run phase5, SortedMap<String, String> ablation) {
        return write(phase5, phase5.status().name(), RunDescription.departures(phase5, new RecordedPhase(ledger, phase5.id()).keptSkills(), ablation));
    }

    /// All that was written so far, each file once, in the order of the first time; absolute.
    List<Path> files() {
        return List.copyOf(files);
    }

    private void replace(Path file, String text) {
        WholeFile.replace(file, text);
        files.add(file.toAbsolutePath());
    }

    /// Every phase's last finished run, and where that is an experiment the last one that is none as well.
    ///
    /// @return the documents, without those of progress
    List<WrittenDocument> writeAll() {
        SequencedMap<Path, WrittenDocument> written = new LinkedHashMap<>();
        for (GatedPhase phase : GatedPhase.values()) {
            Stream.of(true, false).flatMap(inTree -> places.runs(phase, inTree).filter(run -> run.status().judged()).findFirst().stream()).distinct().forEach(run -> {
                WrittenDocument document = write(run, run.status().name(), List.of());
                written.put(document.file(), document);
                writeProgress(run.id());
            });
        }
        return List.copyOf(written.values());
    }

    private WrittenDocument write(Run run, String status, List<String> departures) {
        GatedPhase phase = run.key().phase();
        Place place = places.of(run, departures);
        RecordedPhase recorded = new RecordedPhase(ledger, run.id());
        Rendered rendered = render(run, recorded, status, place);
        Path file = place.folder().resolve(phase.document());
        replace(file, rendered.text());
        rendered.picture().ifPresent(picture -> replace(place.folder().resolve(phase.picture()), picture));
        Path debugLog = place.folder().resolve("debug_log.md");
        if (DebugLog.update(debugLog, recorded.debugEntries())) {
            files.add(debugLog.toAbsolutePath());
        }
        if (place.inTree()) {
            boolean passed = status.equals(PhaseResult.Status.PASS.name());
            complete(new PhaseLine(phase.number(), passed, rendered.summary() + ", " + status,
                    passed ? Optional.empty() : Optional.of("%s, see docs/development_progress/%s".formatted(status, phase.document()))));
            ModelLocator.tree().ifPresent(tree -> {
                Path index = tree.resolve("docs").resolve("development_progress").resolve("README.md");
                replace(index, DevelopmentIndex.render(tree.resolve(ModelLocator.LLMS), index));
            });
        }
        return new WrittenDocument(file, place.departures(), !place.inTree() && ModelLocator.isInTree(opened.model().directory()));
    }

    /// A run that a fault ended has no document; what ended it is in the TODO list, unless the run was an experiment.
    void writeFault(RunId run, NpuflowException fault) {
        Run failed = ledger.run(run);
        if (places.of(failed, command).inTree()) {
            complete(new PhaseLine(failed.key().phase().number(), false, "ERROR, see Active blockers", Optional.of(fault.getMessage())));
        }
    }

    private void complete(PhaseLine line) {
        Path directory = opened.model().directory();
        new ModelDocuments(opened.model().name(), opened.model().config(), opened.model().weightOrigin(), opened.target().baseline())
                .complete(directory, List.of(line)).forEach(changed -> files.add(directory.resolve(changed)));
    }

    /// @param summary for TODO.md
    private record Rendered(String text, String summary, Optional<String> picture) {}

    private Rendered render(Run run, RecordedPhase recorded, String status, Place place) {
        return switch (run.key().phase()) {
            case FULL_MODEL -> {
                FullModelDocument document = new FullModelDocument(opened.model().name(), status, notes(), recorded.start(), recorded.layers());
                yield new Rendered(document.render(), document.summary(), Optional.empty());
            }
            case PREFILL -> rendered(recorded, Phase.PREFILL, status, "");
            case DECODE -> rendered(recorded, Phase.DECODE, status,
                    ablation(run, recorded, place).map(found -> "\n" + AblationText.markdown(found)).orElse(""));
        };
    }

    /// In the tree only the ablation of what the run kept, as the run was made.
    private Optional<Ablation> ablation(Run phase5, RecordedPhase recorded, Place place) {
        return AblationRun.recorded(ledger, phase5.key(), recorded.startPlan(),
                options -> !place.inTree() || RunDescription.departures(phase5, recorded.keptSkills(), options).isEmpty());
    }

    private Rendered rendered(RecordedPhase recorded, Phase phase, String status, String appendix) {
        PhaseDocument document = recorded.document(phase, status, notes());
        return new Rendered(document.render() + appendix, document.summary(), Optional.of(recorded.chart(phase).render()));
    }

    /// Where the model's phases stand, each by its last run that belongs beside the document of this one.
    void writeProgress(RunId written) {
        Place place = places.of(ledger.run(written), command);
        List<ProgressDocument.PhaseLine> lines = Arrays.stream(GatedPhase.values()).map(phase -> places.runs(phase, place.inTree()).findFirst()
                .map(run -> new ProgressDocument.PhaseLine(phase.number(), run.status().name(), lastPlan(run), phase.document()))
                .orElseGet(() -> new ProgressDocument.PhaseLine(phase.number(), ProgressDocument.PENDING, "", phase.document()))).toList();
        Path progress = place.folder().resolve("progress.md");
        replace(progress, new ProgressDocument(opened.model().name(), lines).render(SmallText.find(progress).orElse("")));
        List<TimingLine> timing = Arrays.stream(GatedPhase.values()).flatMap(phase -> places.runs(phase, place.inTree()).findFirst().stream())
                .map(this::timing).toList();
        replace(place.folder().resolve("phase_timing.md"), new TimingDocument(opened.model().name(), timing).render());
    }

    private String lastPlan(Run run) {
        RecordedPhase recorded = new RecordedPhase(ledger, run.id());
        return recorded.hasPlan() ? recorded.lastPlan() : "";
    }

    private TimingLine timing(Run run) {
        RunTime time = ledger.time(run.id());
        RecordedPhase recorded = new RecordedPhase(ledger, run.id());
        return new TimingLine(run.key().phase().number(), time.begun(), time.ended().orElse("—"), time.seconds(), recorded.measuredSeconds(),
                "%s, %d skills".formatted(run.status(), recorded.settledSkills()));
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (opened.model().weightOrigin() == WeightOrigin.SYNTHETIC) {
            notes.add("The weights are synthetic, of the model's real shape: times are those of the real model, texts mean nothing.");
        }
        return notes;
    }
}
