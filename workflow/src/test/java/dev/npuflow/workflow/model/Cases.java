package dev.npuflow.workflow.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The small model folders of the test resources, with the values that are right for them. A folder with an OVERLAY.json is its neighbour's files,
/// some removed, its own laid over them.
public final class Cases {

    private static final JsonMapper JSON = new JsonMapper();

    private Cases() {}

    /// A whole model folder, such as `a06/tied_head_absent`.
    public static Path folder(String variant) {
        Path stored = file(variant);
        Path overlay = stored.resolve("OVERLAY.json");
        if (!Files.exists(overlay)) {
            return stored;
        }
        try {
            JsonNode rule = JSON.readTree(overlay.toFile());
            Path whole = Files.createDirectories(Files.createTempDirectory("npuflow-case").resolve(Path.of(variant).getFileName()));
            copy(stored.resolve(rule.get("copy_rest_from").stringValue()).normalize(), whole, removed(rule));
            copy(stored, whole, List.of("OVERLAY.json"));
            deleteAtExit(whole);
            return whole;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// A single file or folder as it is stored, such as `a12/rank_pairs.json`.
    public static Path file(String path) {
        URL url = Objects.requireNonNull(Cases.class.getResource("/cases/" + path), path);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// The right values of one case, such as `a06`.
    public static JsonNode expected(String id) {
        return JSON.readTree(file(id + "/expected.json").toFile());
    }

    private static List<String> removed(JsonNode rule) {
        return rule.get("then_remove").valueStream().map(JsonNode::stringValue).toList();
    }

    private static void copy(Path from, Path to, List<String> except) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, Files::isRegularFile)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!except.contains(name)) {
                    Files.copy(file, to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static void deleteAtExit(Path folder) throws IOException {
        folder.getParent().toFile().deleteOnExit();
        folder.toFile().deleteOnExit();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            files.forEach(file -> file.toFile().deleteOnExit());
        }
    }
}
