package dev.npuflow.workflow.generation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes a text file that is the old one or the new one at any instant, never half.
public final class WholeFile {

    private WholeFile() {}

    /// Makes the directories above it. The temporary file lies beside the target, so that the rename stays in one file system.
    public static void write(Path file, String text) throws IOException {
        Path directory = Files.createDirectories(file.toAbsolutePath().getParent());
        Path temporary = Files.createTempFile(directory, file.getFileName().toString(), ".tmp");
        try {
            Files.writeString(temporary, text);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
