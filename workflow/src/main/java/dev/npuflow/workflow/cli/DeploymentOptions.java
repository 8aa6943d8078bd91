package dev.npuflow.workflow.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What every command takes that opens a model on a target.
final class DeploymentOptions {

    @Parameters(index = "0", paramLabel = "MODEL", description = "a name under programming_examples/llms, or a Hugging Face directory")
    private String model;

    @Option(names = "--weights", paramLabel = "DIR", description = "Hugging Face directory to take the weights from")
    private Path weights;

    @Option(names = "--workspace", paramLabel = "DIR", description = "ledger, caches and reports (default: .npuflow beside the root pom, or here)")
    private Path workspace;

    @Option(names = "--target", paramLabel = "NAME", defaultValue = "sim", description = "what to measure on: ${DEFAULT-VALUE}")
    private String target;

    @Option(names = "--device", paramLabel = "NAME|FILE", defaultValue = "npu2", description = "device file (default: ${DEFAULT-VALUE})")
    private String device;

    @Option(names = "--set", paramLabel = "FIELD=VALUE", description = "override a field of the device file, such as dram.read_gbps=40")
    private List<String> overrides = new ArrayList<>();

    @Option(names = "--gate-file", paramLabel = "FILE", description = "recorded reference tokens instead of running the reference")
    private Path gateFile;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    /// @param steps of the command, 0 where it cannot know
    Progress progress(PrintWriter err, int steps) {
        return progressOptions.begin(err, steps);
    }

    String model() {
        return model;
    }

    Optional<Path> weights() {
        return Optional.ofNullable(weights);
    }

    Path workspace() {
        return ModelLocator.workspace(Optional.ofNullable(workspace));
    }

    String target() {
        return target;
    }

    String device() {
        return device;
    }

    List<String> overrides() {
        return overrides;
    }

    Optional<Path> gateFile() {
        return Optional.ofNullable(gateFile);
    }
}
