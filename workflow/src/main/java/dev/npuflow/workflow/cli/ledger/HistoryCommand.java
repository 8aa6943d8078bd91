package dev.npuflow.workflow.cli.ledger;

import dev.npuflow.workflow.cli.CommandGroup;
import dev.npuflow.workflow.cli.ModelLocator;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `npuflow history MODEL`.
@Command(name = "history", mixinStandardHelpOptions = true, description = "Lists all recorded runs of a model, the newest last: phases, dry runs and ablations.")
public final class HistoryCommand implements CommandGroup, Callable<Integer> {

    @Parameters(index = "0", paramLabel = "MODEL", description = "a name under programming_examples/llms, or a Hugging Face directory")
    private String model;

    @Mixin private RecordedWorkspace workspace = new RecordedWorkspace();

    @Mixin private Output output;

    @Override public Integer call() {
        String name = String.valueOf(ModelLocator.directory(model).getFileName());
        try (Ledger ledger = workspace.open()) {
            List<RunLine> lines = ledger.history().stream().filter(run -> run.key().modelName().equals(name)).map(Run::id).map(ledger::run)
                    .map(run -> RunLine.of(ledger, run)).toList();
            output.show(text -> print(text, name, lines), () -> tree(name, lines));
            return 0;
        }
    }

    private static Map<String, Object> tree(String name, List<RunLine> lines) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("model", name);
        root.put("runs", lines);
        return root;
    }

    private static void print(TextOutput out, String name, List<RunLine> lines) {
        out.line(lines.isEmpty() ? "%s: no run in this workspace".formatted(name) : "Runs of %s".formatted(name));
        TextTable table = new TextTable(2, Column.right("run"), Column.left("what"), Column.left("device"), Column.left("begun (UTC)"), Column.left("status"), Column.right("ms/token"), Column.right("after"),
                Column.left("plan"), Column.left("kept"));
        for (RunLine line : lines) {
            table.row(Long.toString(line.run()), line.kind().equals("phase") ? "phase " + line.phase() : line.kind(), ShortHash.of(line.device()), line.begun(), line.status().name(),
                    text(line.msPerTokenBefore()), text(line.msPerTokenAfter()), ShortHash.of(line.plan().orElse("—")), String.join(", ", line.kept()));
        }
        if (!lines.isEmpty()) {
            out.table(table);
        }
    }

    private static String text(OptionalDouble milliseconds) {
        return milliseconds.isPresent() ? String.format(Locale.ROOT, "%.3f", milliseconds.getAsDouble()) : "—";
    }
}
