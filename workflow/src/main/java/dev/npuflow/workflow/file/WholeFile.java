package dev.npuflow.workflow.file;

import dev.npuflow.workflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes text files so that a reader sees the old one or the new one, never half of one: to a temporary name first, then renamed.
public final class WholeFile {

    private WholeFile() {}

    /// Replaces a file, or makes it and the directories above it.
    ///
    /// @throws NpuflowException NPF-510
    public static void replace(Path file, String text) {
        try {
            write(file, text);
        } catch (IOException e) {
            throw unwritable(file.toAbsolutePath(), e);
        }
    }

    /// As [#replace], for callers with a fault of their own.
    public static void write(Path file, String text) throws IOException {
        Path target = file.toAbsolutePath();
        Path whole = temporary(target.getParent(), target.getFileName().toString(), text);
        try {
            Files.move(whole, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    /// Makes `name` + `ending`, or with `-2`, `-3` … between them where that exists.
    ///
    /// @return the file made
    /// @throws NpuflowException NPF-510
    public static Path writeNew(Path directory, String name, String ending, String text) {
        Path parent = directory.toAbsolutePath();
        try {
            Path whole = temporary(parent, name, text);
            try {
                for (int count = 1;; count++) {
                    Path target = parent.resolve(name + (count == 1 ? "" : "-" + count) + ending);
                    try {
                        Files.createLink(target, whole);
                        return target;
                    } catch (FileAlreadyExistsException taken) {
                        continue;
                    } catch (FileSystemException | UnsupportedOperationException noLinks) {
                        if (Files.notExists(target)) {
                            return Files.move(whole, target);
                        }
                    }
                }
            } finally {
                Files.deleteIfExists(whole);
            }
        } catch (IOException e) {
            throw unwritable(parent, e);
        }
    }

    private static Path temporary(Path directory, String name, String text) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve("." + name + "." + ProcessHandle.current().pid() + ".part");
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static NpuflowException unwritable(Path path, IOException e) {
        return NpuflowException.environment("NPF-510", path.toString(), FileReason.of(e), "a place that can be written",
                "to free disk space and check permissions, or another --workspace");
    }
}
