package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A model directory as a hub's cache keeps it, all links, one of which has lost its blob.
class BrokenLinksTest {

    @TempDir Path place;
    private Path model;

    @BeforeEach void a_whole_model() throws IOException {
        model = Files.createDirectory(place.resolve("snapshot"));
        Path blobs = Files.createDirectory(place.resolve("blobs"));
        for (String file : new String[] {"config.json", "generation_config.json", "tokenizer.json", "model.safetensors"}) {
            Files.copy(Cases.file("e10/whole").resolve(file), blobs.resolve(file));
            Files.createSymbolicLink(model.resolve(file), Path.of("../blobs", file));
        }
    }

    private void open() {
        try (LanguageModel opened = LanguageModels.open(model, OpenOptions.cachingIn(place.resolve("cache")))) {
            ModelPrompts.read(opened);
        }
    }

    private void link(String file, String target) throws IOException {
        Files.deleteIfExists(model.resolve(file));
        Files.createSymbolicLink(model.resolve(file), Path.of(target));
    }

    private String refusal(String id) {
        NpuflowException refused = assertThrows(NpuflowException.class, this::open);
        assertEquals(id, refused.id(), refused.getMessage());
        return refused.getMessage();
    }

    @Test void whole_links_are_followed() {
        open();
        assertEquals(List.of(1, 24), ConfigReader.read(model).eosTokenIds());
    }

    @ParameterizedTest
    @ValueSource(strings = {"config.json", "generation_config.json", "tokenizer.json", "model.safetensors", "model.safetensors.index.json",
        "model-00001-of-00002.safetensors", "model.yaml", "prompts.txt"})
    void a_broken_link_is_refused_by_name_with_where_it_points(String file) throws IOException {
        link(file, "../../blobs/0000000000000000");
        String told = refusal("NPF-108");
        assertTrue(told.contains("/" + file + " is a broken link") && told.contains("../../blobs/0000000000000000"), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"generation_config.json", "tokenizer.json", "model.safetensors", "model.yaml", "prompts.txt"})
    void a_directory_under_a_files_name_is_refused_by_name(String file) throws IOException {
        Files.deleteIfExists(model.resolve(file));
        Files.createDirectory(model.resolve(file));
        assertTrue(refusal("NPF-101").contains("/" + file + " (a directory)"));
    }

    @Test void weights_whose_only_file_is_a_broken_link_are_not_called_another_format() throws IOException {
        Files.delete(model.resolve("model.safetensors"));
        link("model-00001-of-00002.safetensors", "../blobs/gone");
        assertTrue(refusal("NPF-108").contains("model-00001-of-00002.safetensors"));
    }

    @Test void each_shard_of_an_index_counts() throws IOException {
        Files.delete(model.resolve("model.safetensors"));
        Files.writeString(model.resolve("model.safetensors.index.json"), "{\"weight_map\": {\"model.norm.weight\": \"model-00002-of-00002.safetensors\"}}");
        link("model-00002-of-00002.safetensors", "../blobs/gone");
        assertTrue(refusal("NPF-108").contains("model-00002-of-00002.safetensors"));
    }

    @Test void a_model_directory_that_is_a_broken_link_is_called_one() throws IOException {
        Path lost = Files.createSymbolicLink(place.resolve("lost"), Path.of("nowhere"));
        NpuflowException refused = assertThrows(NpuflowException.class, () -> ConfigReader.read(lost));
        assertTrue(refused.getMessage().contains("NPF-100") && refused.getMessage().contains("broken link (it points to nowhere"), refused.getMessage());
    }
}
