package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.fault.OneLine;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.device.Accuracy;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.estimate.Estimate;
import dev.npuflow.workflow.estimate.EstimateJson;
import dev.npuflow.workflow.estimate.EstimateText;
import dev.npuflow.workflow.estimate.TextLength;
import dev.npuflow.workflow.estimate.TimedPlan;
import dev.npuflow.workflow.lowering.PlanTiming;
import dev.npuflow.workflow.lowering.PlanTrace;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.ModelDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `npuflow estimate MODEL`.
@Command(name = "estimate", mixinStandardHelpOptions = true,
        description = "Tells what a model would cost on this NPU, from its config.json alone: no weights are read and nothing is run.")
final class EstimateCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "MODEL|FILE", description = "a name under programming_examples/llms, a Hugging Face directory, or a config.json")
    private String model;

    @Option(names = "--context", paramLabel = "N",
            description = "cost of one token with N positions in the KV cache (default: mean of " + TextLength.SHORT_ANSWER + " tokens after a prompt of "
                    + TextLength.SHORT_PROMPT + ")")
    private @Nullable Integer context;

    @Option(names = "--plan", paramLabel = "PLAN", defaultValue = "upstream",
            description = "upstream (as mlir-air deploys it), baseline, or phase5 (baseline with the built-in skills that the clock says are worth it) (default: ${DEFAULT-VALUE})")
    private TimedPlan plan;

    @Option(names = "--device", paramLabel = "NAME|FILE", defaultValue = "npu2", description = "device file (default: ${DEFAULT-VALUE})")
    private String device;

    @Option(names = "--set", paramLabel = "FIELD=VALUE", description = "override a field of the device file, such as dram.read_gbps=40")
    private List<String> overrides = new ArrayList<>();

    @Option(names = "--trace", paramLabel = "FILE", description = "also write one decode token as Chrome trace events, such as out.json.gz")
    private @Nullable Path trace;

    @Mixin private Output output;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Override public Integer call() {
        Path file = file();
        ModelDescription described = ConfigReader.readFile(file);
        ModelConfig config = described.config();
        described.warnings().forEach(warning -> spec.commandLine().getErr().println("warning: " + OneLine.of(warning)));
        DeviceDescription description = Devices.load(device, overrides);
        String name = String.valueOf(file.toAbsolutePath().normalize().getParent().getFileName());
        TextLength text = text(config);
        try (Progress progress = progressOptions.begin(spec.commandLine().getErr(), 2)) {
            return estimate(config, description, name, text, progress);
        }
    }

    private int estimate(ModelConfig config, DeviceDescription description, String name, TextLength text, Progress progress) {
        PlanTiming timing = new PlanTiming(description, new LaunchClock());
        progress.next("planning");
        Deployment deployment = plan.assemble(name, config, description, timing, text);
        progress.next("timing");
        Estimate estimate = Estimate.of(deployment, text, timing);
        if (trace != null) {
            PlanTrace.write(trace, deployment, description, Phase.DECODE, text.positionsAfter(text.decodedTokens() - 1));
        }
        progress.clear();
        String source = "simulated on %s (%s); from config.json, no weights read".formatted(description.name(), description.trust());
        output.show(out -> EstimateText.print(out, estimate, "%s, plan %s: %s".formatted(name, plan.toString(), source),
                expectedError(description).map(accuracy -> String.format(Locale.ROOT, "%.1f %% (mean over measured deployments of this plan)",
                        accuracy.decodeMean())).orElse("uncalibrated")), () -> tree(estimate, description, name, source));
        return 0;
    }

    private Map<String, Object> tree(Estimate estimate, DeviceDescription description, String name, String source) {
        Map<String, Object> root = EstimateJson.of(estimate);
        root.put("expected_error", expectedError(description).<Object>map(accuracy -> accuracy.decodeMean() / 100).orElse("uncalibrated"));
        root.put("model", name);
        root.put("plan", plan.toString());
        root.put("device", description.name());
        root.put("source", source);
        return root;
    }

    /// Deployments were measured by upstream's plan only.
    private Optional<Accuracy> expectedError(DeviceDescription description) {
        return plan == TimedPlan.UPSTREAM ? description.accuracy() : Optional.empty();
    }

    private Path file() {
        Path path = ModelLocator.fileOrDirectory(model);
        return Files.isDirectory(path) ? path.resolve("config.json") : path;
    }

    private TextLength text(ModelConfig config) {
        if (context == null) {
            return TextLength.SHORT;
        }
        if (context < 2 || context > config.maximumPositions()) {
            throw NpuflowException.badInput("NPF-820", "--context", context,
                    "2 to the model's %d positions".formatted(config.maximumPositions()),
                    "leaving --context out");
        }
        return TextLength.at(context);
    }
}
