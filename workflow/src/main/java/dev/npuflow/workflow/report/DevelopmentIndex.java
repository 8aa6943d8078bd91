package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The index over all models' phase documents. It is read from the documents themselves, so that it always says what they say.
public final class DevelopmentIndex {

    private static final int DOCUMENT_HEAD = 4096;

    private DevelopmentIndex() {}

    /// @param models directory that holds one directory a model
    /// @param index  the file that the index will be, for the links
    /// @throws NpuflowException NPF-511 if a document cannot be read
    public static String render(Path models, Path index) {
        List<List<String>> rows = new ArrayList<>();
        for (Path model : sorted(models)) {
            for (Path document : sorted(model.resolve("docs").resolve("development_progress"))) {
                row(model, document, index).ifPresent(rows::add);
            }
        }
        return Templates.render("development_index.md.ftl", Map.of("rows", rows));
    }

    private static Optional<List<String>> row(Path model, Path document, Path index) {
        if (!document.getFileName().toString().endsWith(".md") || !Files.isRegularFile(document)) {
            return Optional.empty();
        }
        String head = head(document);
        String link = index.toAbsolutePath().normalize().getParent().relativize(document.toAbsolutePath().normalize()).toString().replace('\\', '/');
        String figures = head.lines().filter(line -> line.startsWith("Figures: ")).findFirst().orElse("Figures: not said").substring(9);
        return PhaseMarker.in(head).map(marker -> List.of(MarkdownText.cell(model.getFileName().toString()), "" + marker.phase(), marker.status(),
                format(ROOT, "%.4f", marker.baselineMilliseconds()), format(ROOT, "%.4f", marker.finalMilliseconds()),
                format(ROOT, "%.2f×", marker.speedup()), MarkdownText.cell(figures),
                format(ROOT, "[%s](%s)", MarkdownText.cell(document.getFileName().toString()), MarkdownText.cell(link))));
    }

    private static List<Path> sorted(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> !entry.getFileName().toString().startsWith(".")).sorted().toList();
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
    }

    private static String head(Path document) {
        try (var in = Files.newInputStream(document)) {
            return new String(in.readNBytes(DOCUMENT_HEAD), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreadable(document, e);
        }
    }

    private static NpuflowException unreadable(Path path, IOException e) {
        return NpuflowException.environment("NPF-511", path.toString(), FileReason.of(e), "a document that can be read",
                "to check its permissions");
    }
}
