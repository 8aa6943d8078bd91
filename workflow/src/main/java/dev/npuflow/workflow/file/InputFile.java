package dev.npuflow.workflow.file;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// A file of a model directory, read with a bound, and what it looks like when it is not what its name says.
public final class InputFile {

    private InputFile() {}

    /// All bytes of a regular file of at most `maximumBytes`. A pipe or device is refused before it is opened: reading it may never end.
    public static byte[] read(Path file, long maximumBytes) {
        RegularFile.require(file);
        try {
            long size = Files.size(file);
            if (size > maximumBytes) {
                throw NpuflowException.badInput("NPF-102", name(file), "%d bytes".formatted(size), "at most %d bytes".formatted(maximumBytes),
                        "the file that belongs under this name");
            }
            byte[] bytes = Files.readAllBytes(file);
            FileContent.of(Arrays.copyOf(bytes, Math.min(bytes.length, FileContent.START))).filter(content -> !content.isReadableText()).ifPresent(content -> {
                throw notWhatIsExpected(file, content, "JSON");
            });
            return bytes;
        } catch (IOException failure) {
            throw RegularFile.unreadable(file, failure);
        }
    }

    /// @throws NpuflowException NPF-100
    public static void requireDirectory(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw NpuflowException.badInput("NPF-100", directory.toString(), RegularFile.brokenLink(directory).orElse("not a directory"),
                    "a Hugging Face model directory", "its path");
        }
    }

    /// NPF-106.
    public static NpuflowException notWhatIsExpected(Path file, FileContent content, String expected) {
        return NpuflowException.badInput("NPF-106", name(file), "looks like %s".formatted(content.words()), expected, content.remedy());
    }

    /// The last part of the path, as messages show it.
    public static String name(Path file) {
        Path last = file.getFileName();
        return last == null ? file.toString() : last.toString();
    }
}
