package dev.npuflow.workflow.model;

import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The directory of synthetic weight files. A file gets its name only when it is whole, so a killed run leaves no half one under it; the oldest make
/// room for a new one; one process writes at a time, under a lock of the operating system, which ends with its holder.
final class SyntheticCache {

    private static final Object ONE_WRITER_IN_THIS_PROCESS = new Object();
    private static final String PATTERN = "synthetic-*.safetensors";
    private static final String UNFINISHED = "unfinished-*.tmp";

    private final Path directory;
    private final long maximumBytes;

    SyntheticCache(OpenOptions options) {
        this.directory = options.cacheDirectory().resolve("weights");
        this.maximumBytes = options.syntheticCacheBytes();
    }

    /// The cached file of a set, written first if need be.
    ///
    /// @throws IOException if the cache cannot hold it; the message says why
    SafetensorsFile open(SyntheticWeights weights) throws IOException {
        if (weights.bytes() > maximumBytes) {
            throw new IOException("%d bytes are more than the cache's limit of %d".formatted(weights.bytes(), maximumBytes));
        }
        Path file = directory.resolve(weights.cacheName());
        if (Files.exists(file)) {
            try {
                return weights.map(file);
            } catch (IOException damaged) {
                Files.deleteIfExists(file);
            }
        }
        Files.createDirectories(directory);
        synchronized (ONE_WRITER_IN_THIS_PROCESS) {
            try (FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (!Files.exists(file) && held.isValid()) {
                    write(weights, file);
                }
            }
        }
        return weights.map(file);
    }

    private void write(SyntheticWeights weights, Path file) throws IOException {
        for (Path left : files(UNFINISHED)) {
            Files.deleteIfExists(left);
        }
        makeRoom(weights.bytes());
        long usable = Files.getFileStore(directory).getUsableSpace();
        if (usable < weights.bytes()) {
            throw new IOException("the disk of %s has %d bytes left, %d are needed".formatted(directory, usable, weights.bytes()));
        }
        Path unfinished = Files.createTempFile(directory, "unfinished-", ".tmp");
        try {
            weights.write(unfinished);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private void makeRoom(long bytes) throws IOException {
        List<Path> oldestFirst = files(PATTERN);
        oldestFirst.sort(Comparator.comparing(SyntheticCache::modified));
        long total = bytes;
        for (Path file : oldestFirst) {
            total += Files.size(file);
        }
        for (Path file : oldestFirst) {
            if (total > maximumBytes) {
                total -= Files.size(file);
                Files.delete(file);
            }
        }
    }

    private static long modified(Path file) {
        return file.toFile().lastModified();
    }

    private List<Path> files(String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, pattern)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException nothingYet) {
            return found;
        }
        return found;
    }
}
