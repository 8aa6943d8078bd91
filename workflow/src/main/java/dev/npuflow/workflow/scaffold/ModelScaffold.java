package dev.npuflow.workflow.scaffold;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.model.CheckedModel;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/// Writes a model directory, a whole one or none. Small files are copied, weights are linked to.
public final class ModelScaffold {

    private static final List<String> COPIED = List.of("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "added_tokens.json",
            "special_tokens_map.json");

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]*");

    private final CheckedModel model;
    private final ModelDocuments documents;
    private final Path target;

    /// @param models   the directory that holds one directory a model
    /// @param baseline the plan that Phase 1 found placeable
    public ModelScaffold(CheckedModel model, Path models, String name, Deployment baseline) {
        this.model = model;
        this.documents = new ModelDocuments(name, model.config(), model.weights(), baseline);
        this.target = models.resolve(name);
    }

    /// @throws NpuflowException NPF-816 if something of this name is there
    public static void requireFree(Path directory) {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw NpuflowException.badInput("NPF-816", "model directory", directory, "a name that is free",
                    "--name, or --complete to add what it lacks");
        }
    }

    /// @return the files of the new directory, from there on
    /// @throws NpuflowException NPF-816 if it exists, NPF-817 if it cannot be written
    public List<Path> write() {
        requireFree(target);
        try {
            UnfinishedDirectory.fill(target, this::fill);
            try (Stream<Path> files = Files.walk(target)) {
                return files.filter(file -> !Files.isDirectory(file)).map(target::relativize).sorted().toList();
            }
        } catch (FileAlreadyExistsException e) {
            requireFree(target);
            throw unwritable(e);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private NpuflowException unwritable(IOException e) {
        return NpuflowException.environment("NPF-817", target.toString(), e instanceof InterruptedIOException ? "interrupted" : FileReason.of(e),
                "a place that can be written", "its permissions");
    }

    private void fill(Path directory) throws IOException {
        for (String file : COPIED) {
            Optional<Path> there = RegularFile.find(model.directory().resolve(file));
            if (there.isPresent()) {
                Files.copy(there.get(), directory.resolve(file));
            }
        }
        try (Stream<Path> files = Files.list(model.directory())) {
            for (Path weights : files.filter(ModelScaffold::isWeights).sorted().toList()) {
                RegularFile.require(weights);
                Files.createSymbolicLink(directory.resolve(weights.getFileName()), weights.toRealPath());
            }
        }
        writePrompts(directory);
        Files.writeString(directory.resolve("Makefile"), "include ../model.mk\n");
        Files.writeString(directory.resolve(".gitignore"), "*.safetensors\n*.safetensors.index.json\n");
        Files.writeString(directory.resolve("README.md"), documents.readme());
        documents.complete(directory, List.of());
    }

    private static boolean isWeights(Path file) {
        String fileName = file.getFileName().toString();
        return fileName.endsWith(".safetensors") || fileName.equals("model.safetensors.index.json");
    }

    /// As text where that is read back as the same ids, else as ids: a prompt may have been given by ids, or not be a plain YAML text.
    private void writePrompts(Path directory) throws IOException {
        ModelPrompts prompts = model.prompts();
        List<String> texts = prompts.gate().stream().map(Prompt::text).toList();
        if (model.tokenizer().isPresent()) {
            write(directory, "canonical_prompt: " + prompts.canonical().text(), "prompts.txt", String.join("\n", texts), prompts.phaseGate());
            if (readsAs(prompts, directory)) {
                return;
            }
            Files.delete(directory.resolve("prompts.txt"));
        }
        write(directory, "canonical_prompt_ids: " + prompts.canonical().ids(), "prompts.ids.json", prompts.gate().stream().map(Prompt::ids).toList().toString(),
                prompts.phaseGate());
    }

    private void write(Path directory, String canonical, String promptFile, String prompts, int phaseGate) throws IOException {
        String phases = phaseGate == ModelPrompts.usual(model.config(), model.prompts().gate().size()) ? "" : "phase_prompts: " + phaseGate + "\n";
        Files.writeString(directory.resolve("model.yaml"), "name: " + quoted(String.valueOf(target.getFileName())) + "\n" + canonical + "\nprompts: " + promptFile + "\n" + phases);
        Files.writeString(directory.resolve(promptFile), prompts + "\n");
    }

    /// A directory may have a name that is no plain YAML text.
    private static String quoted(String name) {
        return PLAIN.matcher(name).matches() ? name : JsonMapper.shared().writeValueAsString(name);
    }

    private boolean readsAs(ModelPrompts prompts, Path directory) {
        try {
            ModelPrompts read = ModelPrompts.read(directory, model.config(), model.tokenizer());
            return read.canonical().equals(prompts.canonical()) && read.gate().equals(prompts.gate());
        } catch (NpuflowException unreadable) {
            return false;
        }
    }
}
