package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.text.TextOutput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `npuflow report MODEL`.
@Command(name = "report", mixinStandardHelpOptions = true,
        description = "Writes the documents of the phases' last finished runs anew from the ledger; runs and measures nothing.")
final class ReportCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;

    @Mixin private Output output;

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress);
                Ledger ledger = Ledger.open(opened.workspace())) {
            progress.next("writing documents");
            PhaseDocuments documents = new PhaseDocuments(opened, ledger, List.of());
            List<WrittenDocument> written = documents.writeAll();
            if (written.isEmpty()) {
                throw NpuflowException.badInput("NPF-532", "report on %s".formatted(opened.model().name()), "no phase in the ledger",
                        "a phase that was run to its end on this device", "npuflow deploy %s".formatted(options.model()));
            }
            progress.clear();
            output.show(text -> print(text, written, documents.files()), () -> tree(written, documents.files()));
            return 0;
        }
    }

    private static Map<String, Object> tree(List<WrittenDocument> written, List<Path> files) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("documents", written.stream().map(WrittenDocument::path).toList());
        root.put("written", files.stream().map(WrittenDocument::path).toList());
        return root;
    }

    private static void print(TextOutput text, List<WrittenDocument> written, List<Path> files) {
        Map<Path, WrittenDocument> documents = written.stream().collect(Collectors.toMap(WrittenDocument::file, document -> document));
        for (Path file : files) {
            text.layout(OneLine.of(WrittenDocument.path(file)));
            Optional.ofNullable(documents.get(file)).flatMap(WrittenDocument::remark).ifPresent(remark -> text.layout(OneLine.of("  " + remark)));
        }
    }
}
