package dev.npuflow.workflow.file;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes files so that a reader sees the old one or the new one, never half of one: to a temporary name first, then renamed.
public final class WholeFile {

    private WholeFile() {}

    /// What a file is to hold.
    @FunctionalInterface
    public interface Content {
        void to(OutputStream out) throws IOException;
    }

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
        Files.createDirectories(file.toAbsolutePath().getParent());
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Replaces a file, or makes it in a directory that is there, for content that is too long to be kept. Where the content fails, a file of this name stays as
    /// it was, and none is made.
    public static void write(Path file, Content content) throws IOException {
        // Nothing is renamed onto a device such as /dev/null, onto a pipe, or onto a link to a file.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            try (OutputStream out = Files.newOutputStream(file)) {
                content.to(out);
            }
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path whole = temporary(target.getParent(), target.getFileName().toString(), content);
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
            Files.createDirectories(parent);
            Path whole = temporary(parent, name, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
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

    private static Path temporary(Path directory, String name, Content content) throws IOException {
        Path file = directory.resolve("." + name + "." + ProcessHandle.current().pid() + ".part");
        boolean whole = false;
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                content.to(out);
            }
            whole = true;
            return file;
        } finally {
            if (!whole) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static NpuflowException unwritable(Path path, IOException e) {
        return NpuflowException.environment("NPF-510", path.toString(), FileReason.of(e), "a place that can be written",
                "to free disk space and check permissions, or another --workspace");
    }
}
