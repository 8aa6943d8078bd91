package dev.npuflow.workflow.model;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.file.RegularFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// A file of a model directory, read with a bound, and what it looks like when it is not what its name says.
public final class InputFile {

    private InputFile() {}

    /// All bytes of a regular file of at most `maximumBytes`. A pipe or device is refused before it is opened: reading it may never end.
    public static byte[] read(Path file, long maximumBytes) {
        RegularFile.require(file);
        try {
            long size = Files.size(file);
            if (size > maximumBytes) {
                throw NpuflowException.badInput("NPF-102", "%s (%d bytes)".formatted(name(file), size), "at most %d bytes".formatted(maximumBytes),
                        "the file that belongs under this name");
            }
            byte[] bytes = Files.readAllBytes(file);
            lookalike(bytes).ifPresent(what -> {
                throw notWhatItSays(file, what);
            });
            return bytes;
        } catch (IOException failure) {
            throw RegularFile.unreadable(file, failure);
        }
    }

    /// @throws NpuflowException NPF-100
    static void requireDirectory(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw NpuflowException.badInput("NPF-100", "%s is %s".formatted(directory, RegularFile.brokenLink(directory).orElse("not a directory")),
                    "a Hugging Face model directory", "its path");
        }
    }

    /// What the first bytes give away: the usual ways for a download to leave something else under the right name.
    public static Optional<String> lookalike(byte[] start) {
        String text = new String(start, 0, Math.min(start.length, 64), StandardCharsets.ISO_8859_1).stripLeading().toLowerCase(Locale.ROOT);
        if (text.startsWith("version https://git-lfs")) {
            return Optional.of("looks like a Git LFS pointer, the real file was not fetched");
        }
        if (text.startsWith("<!doctype") || text.startsWith("<html") || text.startsWith("<?xml")) {
            return Optional.of("looks like a web page saved under this name");
        }
        if (text.startsWith("pk\u0003\u0004")) {
            return Optional.of("looks like a zip archive or a PyTorch checkpoint");
        }
        return text.startsWith("gguf") ? Optional.of("looks like a GGUF file") : Optional.empty();
    }

    public static NpuflowException notWhatItSays(Path file, String what) {
        return NpuflowException.badInput("NPF-106", "%s %s".formatted(name(file), what), "the file that its name promises",
                "fetching it again (git lfs pull, or the hub's download command)");
    }

    /// The last part of the path, as messages show it.
    public static String name(Path file) {
        Path last = file.getFileName();
        return last == null ? file.toString() : last.toString();
    }
}
