package dev.npuflow.workflow.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.CheckedModel;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.WeightOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelScaffoldTest {

    private static final List<String> FILES = List.of(".gitignore", "ARCHITECTURE.md", "Makefile", "README.md", "TODO.md", "config.json",
            "docs/development_progress/LESSONS.md", "docs/development_progress/phase1_kernels.md", "docs/development_progress/progress.md", "model.safetensors",
            "model.yaml", "prompts.txt", "tokenizer.json");

    @TempDir Path folder;
    @TempDir Path models;

    static Deployment baseline(CheckedModel model) {
        DeviceDescription device = Devices.load("npu2", List.of());
        return DeviceLowering.of(device).baseline("toy", model.config());
    }

    private List<String> made(Path source, String name) {
        try (CheckedModel model = CheckedModel.of(source)) {
            return new ModelScaffold(model, models, name, baseline(model)).write().stream().map(Path::toString).toList();
        }
    }

    private LanguageModel open(Path directory) {
        return LanguageModels.open(directory, OpenOptions.cachingIn(folder.resolve("cache")));
    }

    @Test void the_new_directory_opens_as_the_model_that_it_was_made_from() throws IOException {
        Path source = Cases.folder("a01/tiny");
        assertEquals(FILES, made(source, "my_model"));
        try (LanguageModel model = open(models.resolve("my_model")); LanguageModel original = open(source)) {
            assertEquals("my_model", model.name());
            assertEquals(original.fingerprint(), model.fingerprint());
            assertEquals(8, ModelPrompts.read(model).gate().size());
        }
        assertEquals("rwxr-xr-x", permissions(models.resolve("my_model")), "as any directory that a person makes");
    }

    private static String permissions(Path directory) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
    }

    @Test void its_documents_tell_what_was_checked_and_what_is_still_to_do() throws IOException {
        made(Cases.folder("a01/tiny"), "my_model");
        Path documents = models.resolve("my_model/docs/development_progress");
        String todo = Files.readString(models.resolve("my_model/TODO.md"));
        assertTrue(todo.contains("- [x] Phase 0: Build CPU Reference\n  - npuflow: every tensor is there") && todo.contains("- [x] Phase 1") && todo.contains("- [ ] Phase 2"), todo);
        assertTrue(todo.contains("## Active blockers\n\nNone.\n") && todo.contains("| rope_theta | "), todo);
        assertTrue(Files.readString(documents.resolve("phase1_kernels.md")).contains("| decode | `gemv` | k=64 m=64 | 8x1 |"));
        assertTrue(Files.readString(documents.resolve("progress.md")).contains("| 3 | PENDING | — | — |\n| 4 | PENDING | — | — |\n| 5 | PENDING | — | — |\n"));
        assertTrue(Files.readString(models.resolve("my_model/ARCHITECTURE.md")).contains("| q_gemv | NPU | `gemv` k=64 m=64 | normed | self_attn.q_proj | q |"));
    }

    @Test void a_configuration_alone_is_enough_and_no_phase_0_is_claimed() throws IOException {
        Path source = Files.createDirectory(folder.resolve("config_alone"));
        Files.copy(Cases.folder("a01/tiny").resolve("config.json"), source.resolve("config.json"));
        assertFalse(made(source, "my_model").contains("model.safetensors"));
        assertTrue(Files.readString(models.resolve("my_model/TODO.md")).contains("- [ ] Phase 0: Build CPU Reference\n  - npuflow: no weights here"));
    }

    @Test void a_tensor_of_another_shape_or_weights_in_another_format_are_refused() throws IOException {
        Path source = Files.createDirectory(folder.resolve("pickled"));
        Files.copy(Cases.folder("a01/tiny").resolve("config.json"), source.resolve("config.json"));
        Files.writeString(source.resolve("pytorch_model.bin"), "PK");
        assertEquals("NPF-133", assertThrows(NpuflowException.class, () -> CheckedModel.of(source)).id());
        Path odd = Files.createDirectory(folder.resolve("odd"));
        Path tiny = Cases.folder("a01/tiny");
        Files.copy(tiny.resolve("model.safetensors"), odd.resolve("model.safetensors"));
        Files.writeString(odd.resolve("config.json"), Files.readString(tiny.resolve("config.json")).replaceFirst("\"intermediate_size\": *\\d+", "\"intermediate_size\": 96"));
        assertEquals("NPF-135", assertThrows(NpuflowException.class, () -> CheckedModel.of(odd)).id());
    }

    @Test void prompts_that_were_given_are_taken_along_with_how_many_judge_a_phase() throws IOException {
        Path source = Files.createDirectory(folder.resolve("with_prompts"));
        Files.copy(Cases.folder("a01/tiny").resolve("config.json"), source.resolve("config.json"));
        Files.writeString(source.resolve("model.yaml"), "canonical_prompt_ids: [3, 4]\nprompts: mine.json\nphase_prompts: 3\n");
        Files.writeString(source.resolve("mine.json"), "[[1, 2], [3], [4, 5]]");
        made(source, "my_model");
        try (LanguageModel model = open(models.resolve("my_model"))) {
            ModelPrompts prompts = ModelPrompts.read(model);
            assertEquals(List.of(List.of(1, 2), List.of(3), List.of(4, 5)), prompts.gate().stream().map(prompt -> prompt.ids()).toList());
            assertEquals(List.of(3, 4), prompts.canonical().ids());
            assertEquals(3, prompts.phaseGate());
        }
    }

    @Test void a_directory_that_exists_is_refused_and_left_alone() throws IOException {
        Files.createDirectory(models.resolve("taken"));
        Files.createSymbolicLink(models.resolve("dangling"), models.resolve("nowhere"));
        for (String name : List.of("taken", "dangling")) {
            assertEquals("NPF-816", assertThrows(NpuflowException.class, () -> made(Cases.folder("a01/tiny"), name)).id());
        }
        try (Stream<Path> files = Files.walk(models)) {
            assertEquals(3, files.count());
        }
    }

    @Test void a_fault_while_it_is_filled_leaves_nothing() throws IOException {
        Path target = models.resolve("my_model");
        assertThrows(IOException.class, () -> UnfinishedDirectory.fill(target, directory -> {
            Files.createDirectories(directory.resolve("docs"));
            throw new IOException("disk full");
        }));
        try (Stream<Path> files = Files.list(models)) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test void an_old_directory_gets_what_it_lacks_and_a_persons_lines_stay() throws IOException {
        made(Cases.folder("a01/tiny"), "old");
        Path old = models.resolve("old");
        String todo = Files.readString(old.resolve("TODO.md"));
        Path lessons = old.resolve("docs/development_progress/LESSONS.md");
        Files.writeString(lessons, "Ann: measure twice\r\nno end");
        Files.writeString(old.resolve("TODO.md"), todo.substring(0, todo.indexOf("## Active")) + "Bob was here\n");
        Files.delete(old.resolve("ARCHITECTURE.md"));
        try (CheckedModel model = CheckedModel.of(old)) {
            ModelDocuments documents = new ModelDocuments("old", model.config(), model.weights(), baseline(model));
            assertEquals(List.of("TODO.md", "ARCHITECTURE.md"), documents.complete(old, List.of()).stream().map(Path::toString).toList());
            assertEquals(List.of(), documents.complete(old, List.of()));
            assertEquals(WeightOrigin.FILE, model.weights());
        }
        assertEquals("Ann: measure twice\r\nno end", Files.readString(lessons));
        assertTrue(Files.readString(old.resolve("TODO.md")).contains("Bob was here\n\n## Active blockers\n\nNone.\n\n## Resolved config\n"));
    }
}
