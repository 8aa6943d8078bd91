package dev.npuflow.workflow.file;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/// The one place that decides whether a file is there. Absent is only a name that nothing has. A link that leads nowhere, as a hub's cache keeps it when the
/// blob is gone, is no absent file, and neither is a directory or a pipe of that name: whoever made them meant a file.
public final class RegularFile {

    private RegularFile() {}

    /// The file itself, or empty where nothing has its name. It is not opened: a pipe would wait for a writer for ever.
    ///
    /// @throws NpuflowException NPF-101 for a directory, a pipe or a device, NPF-107 where the file system does not tell, NPF-108 for a link that leads
    ///         nowhere or in a circle
    public static Optional<Path> find(Path file) {
        try {
            BasicFileAttributes name = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            BasicFileAttributes target = name.isSymbolicLink() ? followed(file) : name;
            if (!target.isRegularFile()) {
                throw NpuflowException.badInput("NPF-101", file.toString(), target.isDirectory() ? "a directory" : "a pipe or a device", "a file",
                        "giving it another name, or the file that belongs under this one");
            }
            return Optional.of(file);
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException untold) {
            throw unreadable(file, untold);
        }
    }

    /// NPF-107: the file is there, and reading it fails.
    public static NpuflowException unreadable(Path file, IOException failure) {
        return NpuflowException.environment("NPF-107", "%s cannot be read".formatted(file), FileReason.of(failure), "a readable file", "its permissions");
    }

    /// @throws NpuflowException as [#find], and NPF-101 where nothing has the file's name
    public static void require(Path file) {
        if (find(file).isEmpty()) {
            throw NpuflowException.badInput("NPF-101", "%s is missing".formatted(file), "the file to be there", "downloading it again");
        }
    }

    private static BasicFileAttributes followed(Path link) throws IOException {
        Optional<String> broken = brokenLink(link);
        if (broken.isPresent()) {
            throw NpuflowException.badInput("NPF-108", "%s is %s".formatted(link, broken.get()), "a file, or a link to one",
                    "downloading the model again, which puts back what the link points to, or removing the link where no such file is wanted");
        }
        return Files.readAttributes(link, BasicFileAttributes.class);
    }

    /// Says of a link that leads nowhere, or in a circle, that it does and where it points; empty for anything else.
    public static Optional<String> brokenLink(Path path) {
        if (!Files.isSymbolicLink(path)) {
            return Optional.empty();
        }
        try {
            Files.readAttributes(path, BasicFileAttributes.class);
            return Optional.empty();
        } catch (AccessDeniedException hidden) {
            return Optional.empty();
        } catch (IOException broken) {
            return Optional.of("a broken link (%s)".formatted(whereTo(path, broken)));
        }
    }

    private static String whereTo(Path link, IOException broken) {
        String reason = FileReason.of(broken);
        String end = broken instanceof NoSuchFileException ? "nothing is there" : reason.startsWith("too many levels") ? "it leads in a circle" : reason;
        try {
            return "it points to %s, and %s".formatted(Files.readSymbolicLink(link), end);
        } catch (IOException unreadable) {
            return end;
        }
    }
}
