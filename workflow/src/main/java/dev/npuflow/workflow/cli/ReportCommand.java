package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.ledger.Ledger;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
            List<WrittenDocument> written = new PhaseDocuments(opened, ledger, List.of()).writeAll();
            if (written.isEmpty()) {
                throw NpuflowException.badInput("NPF-532", "report on %s (no phase in the ledger)".formatted(opened.model().name()),
                        "a phase that was run to its end on this device", "npuflow deploy %s".formatted(options.model()));
            }
            progress.close();
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                JsonOutput.print(out, Map.of("documents", written.stream().map(WrittenDocument::path).toList()));
            } else {
                written.forEach(document -> {
                    out.println(document.path());
                    document.remark().ifPresent(remark -> out.println("  " + remark));
                });
            }
            return 0;
        }
    }
}
