package dev.npuflow.workflow.scaffold;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.report.Templates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Writes a model directory: under another name first, then renamed, so that there is a whole one or none. Small files are copied, weights are linked to.
public final class ModelScaffold {

    private static final List<String> COPIED = List.of("config.json", "generation_config.json", "tokenizer.json");

    private final LanguageModel model;
    private final String name;
    private final List<KernelRow> kernels;

    /// @param kernels what Phase 1 found placeable
    public ModelScaffold(LanguageModel model, String name, List<KernelRow> kernels) {
        this.model = model;
        this.name = name;
        this.kernels = List.copyOf(kernels);
    }

    /// @param models the directory that holds one directory a model
    /// @return the new directory
    /// @throws NpuflowException NPF-816 if it exists, NPF-817 if it cannot be written
    public Path write(Path models) {
        Path target = models.resolve(name);
        if (Files.exists(target)) {
            throw NpuflowException.badInput("NPF-816", "model directory (%s)".formatted(target), "a name that is free", "--name");
        }
        try {
            Path part = Files.createTempDirectory(models, ".new-model-");
            try {
                fill(part);
                return Files.move(part, target);
            } finally {
                deleteIfThere(part);
            }
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-817", "%s (%s)".formatted(target, e.getMessage()), "a place that can be written", "its permissions");
        }
    }

    private void fill(Path directory) throws IOException {
        for (String file : COPIED) {
            if (Files.isRegularFile(model.directory().resolve(file))) {
                Files.copy(model.directory().resolve(file), directory.resolve(file));
            }
        }
        try (Stream<Path> files = Files.list(model.directory())) {
            for (Path weights : files.filter(ModelScaffold::isWeights).sorted().toList()) {
                Files.createSymbolicLink(directory.resolve(weights.getFileName()), weights.toRealPath());
            }
        }
        ModelPrompts prompts = ModelPrompts.read(model);
        boolean text = model.tokenizer().isPresent();
        String canonical = text ? "canonical_prompt: " + prompts.canonical().text() : "canonical_prompt_ids: " + prompts.canonical().ids();
        String promptFile = text ? "prompts.txt" : "prompts.ids.json";
        Files.writeString(directory.resolve("model.yaml"), "name: %s%n%s%nprompts: %s%n".formatted(name, canonical, promptFile));
        Files.writeString(directory.resolve(promptFile), text ? lines(prompts.gate()) : prompts.gate().stream().map(Prompt::ids).toList() + "\n");
        Files.writeString(directory.resolve("Makefile"), "include ../model.mk\n");
        Files.writeString(directory.resolve(".gitignore"), "*.safetensors\n*.safetensors.index.json\n");
        Path documents = Files.createDirectories(directory.resolve("docs").resolve("development_progress"));
        Map<String, Object> view = view();
        Files.writeString(directory.resolve("README.md"), Templates.render("new_readme.md.ftl", view));
        Files.writeString(directory.resolve("TODO.md"), Templates.render("new_todo.md.ftl", view));
        Files.writeString(documents.resolve("phase1_kernels.md"), Templates.render("phase1_kernels.md.ftl", view));
    }

    private static boolean isWeights(Path file) {
        String fileName = file.getFileName().toString();
        return fileName.endsWith(".safetensors") || fileName.equals("model.safetensors.index.json");
    }

    private static String lines(List<Prompt> prompts) {
        return String.join("\n", prompts.stream().map(Prompt::text).toList()) + "\n";
    }

    private Map<String, Object> view() {
        ModelConfig config = model.config();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("name", name);
        view.put("architecture", config.architecture().className());
        view.put("layers", Integer.toString(config.layers()));
        view.put("hidden", Integer.toString(config.hiddenSize()));
        view.put("intermediate", Integer.toString(config.intermediateSize()));
        view.put("heads", Integer.toString(config.heads()));
        view.put("kv_heads", Integer.toString(config.keyValueHeads()));
        view.put("head_dim", Integer.toString(config.headDim()));
        view.put("vocab", Integer.toString(config.vocabSize()));
        view.put("kernels", kernels.stream().map(row -> List.of(row.phase(), "`" + row.kernel() + "`", row.shape(), row.herd(), row.tile().isEmpty() ? "—" : row.tile(),
                row.pingPong() ? "on" : "off", String.join(", ", row.calls()))).toList());
        return view;
    }

    private static void deleteIfThere(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
