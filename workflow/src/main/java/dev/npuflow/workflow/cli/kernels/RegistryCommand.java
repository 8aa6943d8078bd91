package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.cli.ModelLocator;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.Progress;
import dev.npuflow.workflow.cli.ProgressOptions;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.ModelDescription;
import dev.npuflow.workflow.registry.KernelRegistry;
import dev.npuflow.workflow.registry.KernelRegistry.Entry;
import dev.npuflow.workflow.registry.PublishedLatency;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `npuflow kernels registry`.
@Command(name = "registry", mixinStandardHelpOptions = true,
        description = "What is known of each kernel and shape that the models need: the tile it places with, its time simulated and, where published, measured.")
final class RegistryCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "MODEL", description = "models (default: all under programming_examples/llms)")
    private List<String> models = new ArrayList<>();

    @Option(names = "--device", paramLabel = "NAME|FILE", defaultValue = "npu2", description = "default: ${DEFAULT-VALUE}")
    private String device;

    @Mixin private Output output;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Override public Integer call() {
        DeviceDescription description = Devices.load(device, List.of());
        KernelRegistry registry = new KernelRegistry(description);
        List<Path> directories = models.isEmpty() ? ModelLocator.all() : models.stream().map(ModelLocator::directory).toList();
        List<Entry> entries;
        try (Progress progress = progressOptions.begin(spec.commandLine().getErr(), directories.size() + 1)) {
            for (Path directory : directories) {
                progress.next(directory.getFileName().toString());
                ModelDescription model = ConfigReader.read(directory);
                registry.add(directory.getFileName().toString(), model.config());
                model.warnings().forEach(progress::warn);
            }
            progress.next("simulating the kernels");
            entries = registry.entries();
        }
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("device", description.name());
        root.put("trust", description.trust());
        root.put("kernels", entries);
        output.show(text -> print(text, description, entries), () -> root);
        return 0;
    }

    private static void print(TextOutput text, DeviceDescription description, List<Entry> entries) {
        text.line("simulated on %s (%s); measured: published latencies of this herd, tile and ping-pong, else the fastest of the shape with its own"
                .formatted(description.name(), description.trust()));
        TextTable table = new TextTable(0, Column.left("kernel"), Column.left("herd"), Column.right("simulated us"), Column.right("measured us"),
                Column.left("shape"));
        for (Entry entry : entries) {
            table.row(entry.kernel(), entry.herd(), String.format(Locale.ROOT, "%.1f", entry.simulatedMicroseconds()),
                    entry.measured().map(row -> String.format(Locale.ROOT, "%.1f", row.microseconds())).orElse("—"), entry.shape());
            table.note("tile %s; of %s".formatted(placed(entry.tile(), entry.pingPong()), String.join(", ", entry.models())));
            entry.measuredOtherwise().filter(_ -> entry.measured().isEmpty()).map(RegistryCommand::otherwise).ifPresent(table::note);
        }
        text.table(table);
    }

    private static String otherwise(PublishedLatency row) {
        return String.format(Locale.ROOT, "measured %.1f us on %s, tile %s", row.microseconds(), row.herd(), placed(String.join(" ",
                row.tile().entrySet().stream().map(extent -> extent.getKey() + "=" + extent.getValue()).toList()), row.pingPong()));
    }

    private static String placed(String tile, boolean pingPong) {
        return (tile.isEmpty() ? "—" : tile) + (pingPong ? "" : " (no ping-pong)");
    }
}
