package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.model.ValueScan;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// Tells what a model directory or a safetensors file holds, without running it. An unsupported architecture is an answer, not a fault.
@Command(name = "inspect", mixinStandardHelpOptions = true, description = "Tell what a Hugging Face directory or a .safetensors file holds.")
public final class InspectCommand implements Callable<Integer> {

    /// Where the values of a line begin.
    private static final int VALUES = 19;

    @Spec private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "DIR|FILE", description = "A Hugging Face directory (config.json suffices), a model of the tree, or a .safetensors file.")
    private @Nullable Path path;

    @Option(names = "--context", paramLabel = "N", description = {"Length of the text: for the memory (default: 2048, or all positions),",
            "and for the frequencies of a dynamic or longrope scaling (default: a short text)."})
    private @Nullable Integer context;

    @Option(names = "--values", description = "Read every value of the weights over for NaN, infinity, and what bf16 cannot hold.")
    private boolean values;

    @Mixin private DeviceOptions device = new DeviceOptions();

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Mixin private Output output;

    @Override public Integer call() {
        Path target = Objects.requireNonNull(path);
        if (context != null && context < 1) {
            throw NpuflowException.badInput("NPF-820", "--context", context, "a number of positions from 1", "leaving --context out");
        }
        if (Files.isRegularFile(target)) {
            try (Arena arena = Arena.ofShared()) {
                SafetensorsFile file = SafetensorsFile.map(target, arena);
                show(InspectionText.json(file), InspectionText.lines(file), listener -> ValueScan.ofFile(target, listener));
            }
        } else {
            Path directory = Files.exists(target) ? target : ModelLocator.directory(target.toString());
            InspectedModel model = InspectedModel.of(directory, device.description(), context == null ? OptionalInt.empty() : OptionalInt.of(context));
            show(InspectionText.json(model), InspectionText.lines(model), listener -> ValueScan.ofDirectory(directory, listener));
        }
        return 0;
    }

    private void show(ObjectNode facts, String lines, Function<ValueScan.Listener, ValueScan> scan) {
        Optional<ValueScan> scanned = values ? Optional.of(scanned(Objects.requireNonNull(spec).commandLine().getErr(), scan)) : Optional.empty();
        output.show(text -> (lines + scanned.map(ValueScanText::lines).orElse("")).lines().forEach(line -> text.line(line, VALUES)), () -> {
            scanned.ifPresent(found -> facts.set("values", ValueScanText.json(found)));
            return facts;
        });
    }

    private ValueScan scanned(PrintWriter err, Function<ValueScan.Listener, ValueScan> scan) {
        try (Progress progress = progressOptions.begin(err, 0)) {
            return scan.apply((index, count, name) -> progress.step(index, count, "values of " + name));
        }
    }
}
