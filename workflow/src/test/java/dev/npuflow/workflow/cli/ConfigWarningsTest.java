package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// A configuration that contradicts itself says so whatever is done with the model.
class ConfigWarningsTest {

    private static final String TOLD = "architectures says MistralForCausalLM, model_type says llama: the model is taken for a LlamaForCausalLM";

    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({"generate, --ids 3 -n 1 --engine reference --json", "plan, --json", "compile, --json", "profile, -n 1 --json", "estimate, --plan baseline --json",
            "kernels registry, --json", "verify, --json"})
    void every_command_tells_a_contradiction_on_standard_error_once(String command, String options) throws IOException {
        Path model = Files.createDirectory(directory.resolve("model"));
        for (String name : List.of("model.safetensors", "tokenizer.json")) {
            Files.copy(Cases.folder("a01/tiny").resolve(name), model.resolve(name));
        }
        Files.writeString(model.resolve("config.json"), Files.readString(Cases.folder("a01/tiny").resolve("config.json"))
                .replace("LlamaForCausalLM", "MistralForCausalLM"));
        List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
        arguments.add(model.toString());
        arguments.addAll(List.of(options.split(" ")));
        if (!command.equals("estimate") && !command.startsWith("kernels")) {
            arguments.addAll(List.of("--workspace", directory.resolve("workspace").toString()));
        }
        StringWriter err = new StringWriter();
        CommandLine line = NpuflowCommand.commandLine().setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
        assertEquals(0, line.execute(arguments.toArray(String[]::new)), err::toString);
        assertEquals(1, err.toString().lines().filter(told -> told.startsWith("warning: " + TOLD)).count(), err::toString);
    }
}
