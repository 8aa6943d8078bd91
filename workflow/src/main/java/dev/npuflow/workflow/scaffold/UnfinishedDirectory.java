package dev.npuflow.workflow.scaffold;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A directory that is filled under a hidden name and gets its own only when it is whole. A process that is told to end in between takes the hidden one away
/// first; one that is killed leaves it, and the next to come clears it away.
final class UnfinishedDirectory {

    private static final Pattern NAME = Pattern.compile("\\.new-(\\d+)-.*");

    private final Path target;
    private final Path path;
    private volatile boolean ending;

    private UnfinishedDirectory(Path target) {
        this.target = target;
        this.path = target.resolveSibling(".new-" + ProcessHandle.current().pid() + "-" + target.getFileName());
    }

    /// What fills a directory.
    interface Filling {
        void fill(Path directory) throws IOException;
    }

    /// @throws FileAlreadyExistsException if the target is there already
    static void fill(Path target, Filling filling) throws IOException {
        UnfinishedDirectory directory = new UnfinishedDirectory(target.toAbsolutePath());
        Thread hook = new Thread(directory::awaitEnd, "unfinished directory");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            directory.fillAndRename(filling);
        } finally {
            if (!directory.ending) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
    }

    private synchronized void fillAndRename(Filling filling) throws IOException {
        clearAbandoned(path.getParent());
        try {
            Files.createDirectory(path);
            filling.fill(path);
            if (ending) {
                throw new InterruptedIOException("interrupted");
            }
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(target.toString());
            }
            Files.move(path, target);
        } finally {
            delete(path);
        }
    }

    /// The process ends only when whoever fills is done.
    private void awaitEnd() {
        ending = true;
        synchronized (this) {
            assert Files.notExists(path);
        }
    }

    private static void clearAbandoned(Path parent) throws IOException {
        List<Path> abandoned;
        try (Stream<Path> entries = Files.list(parent)) {
            abandoned = entries.filter(UnfinishedDirectory::isAbandoned).sorted().toList();
        }
        for (Path entry : abandoned) {
            delete(entry);
        }
    }

    private static boolean isAbandoned(Path entry) {
        Matcher name = NAME.matcher(entry.getFileName().toString());
        return name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).filter(ProcessHandle::isAlive).isEmpty();
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
