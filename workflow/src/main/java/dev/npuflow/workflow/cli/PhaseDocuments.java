package dev.npuflow.workflow.cli;

import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.report.DevelopmentIndex;
import dev.npuflow.workflow.report.PhaseDocument;
import dev.npuflow.workflow.report.TodoList;
import dev.npuflow.workflow.report.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Writes a phase's documents, from the ledger: beside the model where it stands in the tree, else into the workspace.
final class PhaseDocuments {

    private final OpenedDeployment opened;
    private final Ledger ledger;

    PhaseDocuments(OpenedDeployment opened, Ledger ledger) {
        this.opened = opened;
        this.ledger = ledger;
    }

    /// @return the document's path
    String write(RunId run, PhaseResult result) {
        PhaseDocument document = new RecordedPhase(ledger, run, Phase.DECODE).document(result.status().name(), notes());
        Path model = opened.model().directory();
        boolean inTree = ModelLocator.isInTree(model);
        Path folder = inTree ? model.resolve("docs").resolve("development_progress") : opened.workspace().resolve("documents").resolve(opened.model().name());
        Path file = folder.resolve("phase5_decode.md");
        WholeFile.replace(file, document.render());
        if (inTree) {
            TodoList.update(model.resolve("TODO.md"), document);
            ModelLocator.tree().ifPresent(tree -> {
                Path index = tree.resolve("docs").resolve("development_progress").resolve("README.md");
                WholeFile.replace(index, DevelopmentIndex.render(tree.resolve(ModelLocator.LLMS), index));
            });
        }
        return Path.of("").toAbsolutePath().relativize(file).toString();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(PhaseDocument.NO_PHASE_4);
        if (opened.model().weightOrigin() == WeightOrigin.SYNTHETIC) {
            notes.add("The weights are synthetic, of the model's real shape: times are those of the real model, texts mean nothing.");
        }
        return notes;
    }
}
