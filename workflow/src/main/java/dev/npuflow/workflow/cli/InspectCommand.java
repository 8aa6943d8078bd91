package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// Tells what a model directory or a safetensors file holds, without running it. An unsupported architecture is an answer, not a fault.
@Command(name = "inspect", mixinStandardHelpOptions = true, description = "Tell what a Hugging Face directory or a .safetensors file holds.")
public final class InspectCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "DIR|FILE", description = "A Hugging Face directory (config.json suffices), a model of the tree, or a .safetensors file.")
    private @Nullable Path path;

    @Option(names = "--context", paramLabel = "N", description = {"Length of the text: for the memory (default: 2048, or all positions),",
            "and for the frequencies of a dynamic or longrope scaling (default: a short text)."})
    private @Nullable Integer context;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        Path target = Objects.requireNonNull(path);
        if (context != null && context < 1) {
            throw NpuflowException.badInput("NPF-820", "--context", context, "a number of positions from 1", "leaving --context out");
        }
        PrintWriter out = command.commandLine().getOut();
        if (Files.isRegularFile(target)) {
            try (Arena arena = Arena.ofShared()) {
                SafetensorsFile file = SafetensorsFile.map(target, arena);
                show(out, InspectionText.json(file), InspectionText.lines(file));
            }
        } else {
            Path directory = Files.exists(target) ? target : ModelLocator.directory(target.toString());
            InspectedModel model = InspectedModel.of(directory, context == null ? OptionalInt.empty() : OptionalInt.of(context));
            show(out, InspectionText.json(model), InspectionText.lines(model));
        }
        out.flush();
        return 0;
    }

    private void show(PrintWriter out, ObjectNode facts, String lines) {
        if (json) {
            JsonOutput.print(out, facts);
        } else {
            out.print(lines);
        }
    }
}
