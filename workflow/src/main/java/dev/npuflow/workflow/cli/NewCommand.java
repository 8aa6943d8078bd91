package dev.npuflow.workflow.cli;

import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.device.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.lowering.BaselineAssembler;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.scaffold.KernelRow;
import dev.npuflow.workflow.scaffold.ModelScaffold;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
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

    @Option(names = "--name", description = "of the new directory (default: from the Hugging Face directory's)")
    private String name;

    @Option(names = "--device", paramLabel = "NAME|FILE", defaultValue = "npu2", description = "device that the kernels are placed on (default: ${DEFAULT-VALUE})")
    private String device;

    @Option(names = "--workspace", paramLabel = "DIR", description = "caches (default: .npuflow beside the root pom, or here)")
    private Path workspace;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    @Override public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Path models = ModelLocator.tree().map(tree -> tree.resolve(ModelLocator.LLMS)).orElseThrow(() -> NpuflowException.badInput("NPF-818",
                "working directory (no %s around it)".formatted(ModelLocator.LLMS), "a tree to put the model in", "starting in npuflow's tree"));
        DeviceDescription description = Devices.load(device, List.of());
        try (LanguageModel model = LanguageModels.open(ModelLocator.directory(directory),
                OpenOptions.cachingIn(ModelLocator.workspace(Optional.ofNullable(workspace)).resolve("cache")))) {
            Deployment baseline = BaselineAssembler.assemble(BaselineAssembler.shapeOf(model), description.name(), new CompilerPlacement(description));
            List<KernelRow> kernels = KernelRow.of(baseline);
            Path made = new ModelScaffold(model, chosenName(model), kernels).write(models);
            print(out, model, made, kernels);
            return 0;
        }
    }

    private String chosenName(LanguageModel model) {
        String chosen = name != null ? name : model.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_+|_+$", "");
        if (!NAME.matcher(chosen).matches()) {
            throw NpuflowException.badInput("NPF-819", "--name (%s)".formatted(chosen), "lower case letters, digits and _", "--name my_model");
        }
        return chosen;
    }

    private void print(PrintWriter out, LanguageModel model, Path made, List<KernelRow> kernels) {
        if (json) {
            Map<String, Object> root = new LinkedHashMap<>();
            root.put("directory", made.toString());
            root.put("architecture", model.config().architecture().className());
            root.put("weights", model.weightOrigin());
            root.put("kernels", kernels);
            root.put("warnings", model.warnings());
            JsonOutput.print(out, root);
            return;
        }
        out.println("Phase 0: %s, %d layers: every tensor is there".formatted(model.config().architecture().className(), model.config().layers()));
        model.warnings().forEach(warning -> out.println("  warning: " + warning));
        out.println("Phase 1: %d kernels placed".formatted(kernels.size()));
        kernels.forEach(row -> out.println("  %-8s %-16s %-40s herd %s  tile %s%s".formatted(row.phase(), row.kernel(), row.shape(), row.herd(),
                row.tile().isEmpty() ? "—" : row.tile(), row.pingPong() ? "" : "  (no ping-pong)")));
        out.println("made " + made);
    }
}
