package dev.npuflow.workflow.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.device.Devices;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.lowering.BaselineAssembler;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelScaffoldTest {

    @TempDir Path models;

    @Test void the_new_directory_opens_as_the_model_that_it_was_made_from() throws IOException {
        Path made;
        String fingerprint;
        try (LanguageModel model = open(Cases.folder("a01/tiny"))) {
            made = new ModelScaffold(model, "my_model", kernels(model)).write(models);
            fingerprint = model.fingerprint();
        }
        try (LanguageModel model = open(made)) {
            assertEquals("my_model", model.name());
            assertEquals(fingerprint, model.fingerprint());
            assertEquals(8, ModelPrompts.read(model).gate().size());
        }
        String phase1 = Files.readString(made.resolve("docs/development_progress/phase1_kernels.md"));
        assertTrue(phase1.contains("| decode | `gemv` | k=64 m=64 | 8x1 |"), phase1);
    }

    @Test void a_directory_that_exists_is_left_alone() throws IOException {
        Files.createDirectory(models.resolve("taken"));
        try (LanguageModel model = open(Cases.folder("a01/tiny"))) {
            NpuflowException fault = assertThrows(NpuflowException.class, () -> new ModelScaffold(model, "taken", List.of()).write(models));
            assertEquals("NPF-816", fault.id());
        }
        try (Stream<Path> files = Files.walk(models)) {
            assertEquals(2, files.count());
        }
    }

    private LanguageModel open(Path directory) {
        return LanguageModels.open(directory, OpenOptions.cachingIn(models.resolve("../cache").normalize()));
    }

    private static List<KernelRow> kernels(LanguageModel model) {
        DeviceDescription device = Devices.load("npu2", List.of());
        return KernelRow.of(BaselineAssembler.assemble(BaselineAssembler.shapeOf(model), device.name(), new CompilerPlacement(device)));
    }
}
