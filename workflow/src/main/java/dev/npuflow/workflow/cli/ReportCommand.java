package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow report MODEL`.
@Command(name = "report", mixinStandardHelpOptions = true,
        description = "Writes the documents of the phases' last finished runs anew from the ledger; runs and measures nothing.")
final class ReportCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    @Override public Integer call() {
        try (Progress progress = Progress.onTerminal(spec.commandLine().getErr());
                OpenedDeployment opened = OpenedDeployment.open(options, progress);
                Ledger ledger = Ledger.open(opened.workspace())) {
            PhaseDocuments documents = new PhaseDocuments(opened, ledger);
            List<String> written = Arrays.stream(GatedPhase.values()).flatMap(phase -> written(documents, ledger, opened, phase)).toList();
            if (written.isEmpty()) {
                throw NpuflowException.badInput("NPF-532", "report on %s (no phase in the ledger)".formatted(opened.model().name()),
                        "a phase that was run to its end on this device", "npuflow deploy %s".formatted(options.model()));
            }
            documents.writeProgress();
            progress.close();
            if (json) {
                JsonOutput.print(spec.commandLine().getOut(), Map.of("documents", written));
            } else {
                written.forEach(spec.commandLine().getOut()::println);
            }
            return 0;
        }
    }

    /// A run that ended in a fault may have measured nothing: it has no document.
    private static Stream<String> written(PhaseDocuments documents, Ledger ledger, OpenedDeployment opened, GatedPhase phase) {
        return ledger.lastRun(opened.runKey(phase)).stream().filter(run -> switch (run.status()) {
            case PASS, FAIL -> true;
            case ERROR, RUNNING, INTERRUPTED -> false;
        }).map(run -> documents.write(phase, run.id(), run.status().name()));
    }
}
