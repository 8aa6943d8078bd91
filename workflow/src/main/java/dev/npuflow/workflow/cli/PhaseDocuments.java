package dev.npuflow.workflow.cli;

import dev.npuflow.npu.device.Devices;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ablation.AblationRun;
import dev.npuflow.workflow.ablation.AblationText;
import dev.npuflow.workflow.fault.NpuflowException;
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
import dev.npuflow.workflow.report.PhaseMarker;
import dev.npuflow.workflow.report.ProgressDocument;
import dev.npuflow.workflow.report.TimingDocument;
import dev.npuflow.workflow.report.TimingDocument.TimingLine;
import dev.npuflow.workflow.report.todo.TodoFacts.PhaseLine;
import dev.npuflow.workflow.scaffold.ModelDocuments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Writes the phases' documents, from the ledger: beside the model where it stands in the tree and the ledger is the tree's own, else into the workspace. A ledger
/// kept elsewhere is somebody's experiment; what it says is not what the tree's documents say.
final class PhaseDocuments {

    /// The device of the tree's documents; another, or a changed one, is a question of what would be.
    private static final String DEVICE = "npu2";

    private final OpenedDeployment opened;
    private final Ledger ledger;
    private final Path model;
    private final boolean inTree;
    private final Path folder;

    PhaseDocuments(OpenedDeployment opened, Ledger ledger) {
        this.opened = opened;
        this.ledger = ledger;
        this.model = opened.model().directory();
        boolean usual = opened.workspace().equals(ModelLocator.workspace(Optional.empty())) && opened.device().equals(Devices.load(DEVICE, List.of()));
        this.inTree = ModelLocator.isInTree(model) && usual;
        this.folder = inTree ? model.resolve(ModelDocuments.PROGRESS) : opened.workspace().resolve("documents").resolve(opened.model().name());
    }

    /// @return the document's path
    String write(GatedPhase phase, RunId run, PhaseResult result) {
        return write(phase, run, result.status().name());
    }

    /// @param status of the run: `PASS`, `FAIL` or `ERROR`
    String write(GatedPhase phase, RunId run, String status) {
        Rendered rendered = render(phase, new RecordedPhase(ledger, run), status);
        Path file = folder.resolve(phase.document());
        WholeFile.replace(file, rendered.text());
        rendered.picture().ifPresent(picture -> WholeFile.replace(folder.resolve(phase.picture()), picture));
        DebugLog.update(folder.resolve("debug_log.md"), new RecordedPhase(ledger, run).debugEntries());
        boolean passed = status.equals(PhaseResult.Status.PASS.name());
        complete(new PhaseLine(phase.number(), passed, rendered.marker().summary() + ", " + status,
                passed ? Optional.empty() : Optional.of("%s, see docs/development_progress/%s".formatted(status, phase.document()))));
        if (inTree) {
            ModelLocator.tree().ifPresent(tree -> {
                Path index = tree.resolve("docs").resolve("development_progress").resolve("README.md");
                WholeFile.replace(index, DevelopmentIndex.render(tree.resolve(ModelLocator.LLMS), index));
            });
        }
        Path here = Path.of("").toAbsolutePath();
        return (file.startsWith(here) ? here.relativize(file) : file).toString();
    }

    /// A run that a fault ended has no document; what ended it stands in the TODO list.
    void writeFault(GatedPhase phase, NpuflowException fault) {
        complete(new PhaseLine(phase.number(), false, "ERROR, see Active blockers", Optional.of(fault.getMessage())));
    }

    private void complete(PhaseLine line) {
        if (inTree) {
            new ModelDocuments(opened.model().name(), opened.model().config(), opened.model().weightOrigin(), opened.target().baseline())
                    .complete(model, List.of(line));
        }
    }

    private record Rendered(String text, PhaseMarker marker, Optional<String> picture) {}

    private Rendered render(GatedPhase phase, RecordedPhase recorded, String status) {
        return switch (phase) {
            case FULL_MODEL -> {
                FullModelDocument document = new FullModelDocument(opened.model().name(), status, notes(), recorded.start(), recorded.layers());
                yield new Rendered(document.render(), document.marker(), Optional.empty());
            }
            case PREFILL -> rendered(recorded, Phase.PREFILL, status, "");
            case DECODE -> rendered(recorded, Phase.DECODE, status,
                    AblationRun.recorded(ledger, opened.runKey(phase), recorded.startPlan()).map(found -> "\n" + AblationText.markdown(found)).orElse(""));
        };
    }

    private Rendered rendered(RecordedPhase recorded, Phase phase, String status, String appendix) {
        PhaseDocument document = recorded.document(phase, status, notes());
        return new Rendered(document.render() + appendix, document.marker(), Optional.of(recorded.chart(phase).render()));
    }

    /// Where the model's phases stand, each by its last run.
    void writeProgress() {
        List<ProgressDocument.PhaseLine> lines = Arrays.stream(GatedPhase.values()).map(phase -> ledger.lastRun(opened.runKey(phase))
                .map(run -> new ProgressDocument.PhaseLine(phase.number(), run.status().name(), new RecordedPhase(ledger, run.id()).lastPlan(), phase.document()))
                .orElseGet(() -> new ProgressDocument.PhaseLine(phase.number(), "PENDING", "", phase.document()))).toList();
        WholeFile.replace(folder.resolve("progress.md"), new ProgressDocument(opened.model().name(), lines).render());
        List<TimingLine> timing = Arrays.stream(GatedPhase.values()).flatMap(phase -> ledger.lastRun(opened.runKey(phase)).stream())
                .map(this::timing).toList();
        WholeFile.replace(folder.resolve("phase_timing.md"), new TimingDocument(opened.model().name(), timing).render());
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
