package dev.npuflow.workflow.cli;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.scaffold.ModelDocuments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Where the documents of a run belong. Those in the tree tell what its models come to as they are, so that only a run with every default writes them. A run
/// with anything else is an experiment: its documents go to the workspace. The ledger says what a run was, so that `report` decides as the run itself did.
final class DocumentPlaces {

    /// The device of the tree's documents; another, or a changed one, is a question of what would be.
    private static final String DEVICE = "npu2";

    private final OpenedDeployment opened;
    private final Ledger ledger;
    private final List<String> ofCommand;

    DocumentPlaces(OpenedDeployment opened, Ledger ledger) {
        this.opened = opened;
        this.ledger = ledger;
        this.ofCommand = ofCommand(opened);
    }

    /// @param departures what of the run is not as usual, in the words of its options; empty if nothing is
    record Place(Path folder, boolean inTree, List<String> departures) {}

    /// The place of a run, and of what is made of it with `more` departures.
    Place of(Run run, List<String> more) {
        List<String> departures = Stream.of(ofCommand, ofRun(run), more).flatMap(List::stream).distinct().toList();
        boolean inTree = departures.isEmpty() && ModelLocator.isInTree(opened.model().directory());
        return new Place(inTree ? opened.model().directory().resolve(ModelDocuments.PROGRESS) : workspace(), inTree, departures);
    }

    private Path workspace() {
        return opened.workspace().resolve("documents").resolve(opened.model().name());
    }

    /// The runs of a phase, the newest first: for the tree those that are no experiments, else all.
    Stream<Run> runs(GatedPhase phase, boolean inTree) {
        return ledger.runs(opened.runKey(phase)).stream().filter(run -> !inTree || of(run, List.of()).inTree());
    }

    private List<String> ofRun(Run run) {
        List<String> departures = RunDescription.departures(opened, run.key().phase(), run.options());
        return departures.isEmpty() && !startsAsUsual(run) ? List.of("its start, a plan that an experiment in the phase before left") : departures;
    }

    private static List<String> ofCommand(OpenedDeployment opened) {
        List<String> departures = new ArrayList<>();
        if (!opened.workspace().equals(ModelLocator.workspace(Optional.empty()))) {
            departures.add("--workspace");
        }
        if (!opened.device().equals(Devices.load(DEVICE, List.of()))) {
            departures.add("--device or --set");
        }
        if (opened.weightsFromElsewhere()) {
            departures.add("--weights");
        }
        return departures;
    }

    /// Whether a run of the phase before that was no experiment left the plan that this one starts from.
    private boolean startsAsUsual(Run run) {
        Optional<String> start = new RecordedPhase(ledger, run.id()).begun();
        return start.isEmpty() || switch (run.key().phase()) {
            case FULL_MODEL -> true;
            case PREFILL -> leftBy(GatedPhase.FULL_MODEL, start.get());
            case DECODE -> leftBy(GatedPhase.PREFILL, start.get());
        };
    }

    private boolean leftBy(GatedPhase phase, String plan) {
        return ledger.runs(opened.runKey(phase)).stream().filter(run -> run.status() == RunStatus.PASS)
                .filter(run -> new RecordedPhase(ledger, run.id()).lastPlan().equals(plan)).anyMatch(run -> ofRun(run).isEmpty());
    }
}
