package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.CheckedModel;
import dev.npuflow.workflow.scaffold.KernelRow;
import dev.npuflow.workflow.scaffold.ModelDocuments;
import dev.npuflow.workflow.scaffold.ModelScaffold;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `npuflow new DIR`.
@Command(name = "new", mixinStandardHelpOptions = true,
        description = "Makes a model directory under programming_examples/llms from a Hugging Face one: every tensor present with the right shape, every kernel placeable.")
final class NewCommand implements Callable<Integer> {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_]{0,63}");

    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "a Hugging Face directory")
    private String directory;

    @ArgGroup private Place place = new Place();

    /// Where the documents go.
    private static final class Place {

        @Option(names = "--name", description = "of the new directory (default: from the Hugging Face directory's)")
        private String name;

        @Option(names = "--complete", description = "DIR is a model of the tree: add what it lacks, and change nothing that a person wrote")
        private boolean complete;
    }

    @Option(names = "--device", paramLabel = "NAME|FILE", defaultValue = "npu2", description = "device that the kernels are placed on (default: ${DEFAULT-VALUE})")
    private String device;

    @Mixin private Output output;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Override public Integer call() {
        Path models = ModelLocator.tree().map(tree -> tree.resolve(ModelLocator.LLMS)).orElseThrow(() -> NpuflowException.badInput("NPF-818",
                "working directory", "no %s around it".formatted(ModelLocator.LLMS), "a tree to put the model in", "starting in npuflow's tree"));
        DeviceLowering lowering = DeviceLowering.of(Devices.load(device, List.of()));
        Path source = ModelLocator.directory(directory);
        if (place.complete && !ModelLocator.isInTree(source)) {
            throw NpuflowException.badInput("NPF-824", "--complete", source, "a model directory of the tree", "new without --complete");
        }
        Path target = place.complete ? source : models.resolve(chosenName(source));
        if (!place.complete) {
            ModelScaffold.requireFree(target);
        }
        try (Progress progress = progressOptions.begin(spec.commandLine().getErr(), 2);
                CheckedModel model = checked(source, progress)) {
            progress.next("placing the kernels");
            String name = target.getFileName().toString();
            Deployment baseline = lowering.baseline(name, model.config());
            List<Path> written = place.complete ? new ModelDocuments(name, model.config(), model.weights(), baseline).complete(target, List.of())
                    : new ModelScaffold(model, models, name, baseline).write();
            progress.clear();
            List<KernelRow> kernels = KernelRow.of(baseline);
            output.show(text -> print(text, model, target, kernels, written), () -> tree(model, target, kernels, written));
            return 0;
        }
    }

    private static CheckedModel checked(Path source, Progress progress) {
        progress.next("checking the tensors");
        return CheckedModel.of(source);
    }

    private String chosenName(Path source) {
        String chosen = place.name != null ? place.name
                : source.getFileName().toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_+|_+$", "");
        if (!NAME.matcher(chosen).matches()) {
            throw NpuflowException.badInput("NPF-819", "--name", chosen, "lower case letters, digits and _", "--name my_model");
        }
        return chosen;
    }

    private static Map<String, Object> tree(CheckedModel model, Path target, List<KernelRow> kernels, List<Path> written) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("directory", target.toString());
        root.put("architecture", model.config().architecture().className());
        root.put("weights", model.weights());
        root.put("kernels", kernels);
        root.put("warnings", model.warnings());
        root.put("written", written.stream().map(Path::toString).toList());
        return root;
    }

    private void print(TextOutput text, CheckedModel model, Path target, List<KernelRow> kernels, List<Path> written) {
        text.line("Phase 0: %s, %d layers%s".formatted(model.config().architecture().className(), model.config().layers(), switch (model.weights()) {
            case FILE -> ": every tensor is there";
            case SYNTHETIC, NONE -> "";
        }));
        model.warnings().forEach(warning -> text.line("  warning: " + warning));
        text.line("Phase 1: %d kernels placed".formatted(kernels.size()));
        TextTable table = new TextTable(2, Column.left("phase"), Column.left("kernel"), Column.left("shape"), Column.left("herd"), Column.left("tile"));
        kernels.forEach(row -> table.row(row.phase(), row.kernel(), row.shape(), row.herd(),
                (row.tile().isEmpty() ? "—" : row.tile()) + (row.pingPong() ? "" : " (no ping-pong)")));
        text.table(table);
        text.line(written.isEmpty() ? target + " lacks nothing" : place.complete ? "in %s: wrote %s".formatted(target,
                String.join(", ", written.stream().map(Path::toString).toList())) : "made " + target);
    }
}
