package dev.npuflow.workflow.model;

import dev.npuflow.workflow.file.ContentHash;
import dev.npuflow.workflow.file.RegularFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// SHA-256 of weight files. A large file's hash is remembered with everything the file system says of the file: path, size, inode, time of the last write
/// and of the last change of anything (ctime, which no program can set back). A file that changed within the last seconds is not remembered, because a
/// second write within one tick of the clock would not be seen.
final class FileHashes {

    private static final long WORTH_REMEMBERING = 16 << 20;
    private static final long LONGEST_NOTE = 1024;
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private final Path directory;

    FileHashes(Path cacheDirectory) {
        this.directory = cacheDirectory.resolve("hashes");
    }

    byte[] sha256(Path file) {
        try {
            Path real = file.toRealPath();
            if (Files.size(real) < WORTH_REMEMBERING || !Files.getFileStore(real).supportsFileAttributeView("unix")) {
                return hash(real);
            }
            Map<String, Object> state = Files.readAttributes(real, "unix:size,ino,dev,lastModifiedTime,ctime");
            String key = "%s %s %s %s %s %s".formatted(real, state.get("size"), state.get("ino"), state.get("dev"), state.get("lastModifiedTime"),
                    state.get("ctime"));
            Path note = directory.resolve(ContentHash.of(key.getBytes(StandardCharsets.UTF_8)));
            if (Files.isRegularFile(note) && Files.size(note) <= LONGEST_NOTE) {
                byte[] remembered = HexFormat.of().parseHex(Files.readString(note).strip());
                if (remembered.length == 32) {
                    return remembered;
                }
            }
            return remember(real, note, (FileTime) state.get("ctime"));
        } catch (IOException failure) {
            throw RegularFile.unreadable(file, failure);
        } catch (IllegalArgumentException damagedNote) {
            return hashOrFault(file);
        }
    }

    private byte[] remember(Path file, Path note, FileTime changed) throws IOException {
        boolean settled = changed.toInstant().plus(SETTLED).isBefore(Instant.now());
        byte[] hash = hash(file);
        if (settled) {
            try {
                Files.createDirectories(directory);
                Path unfinished = Files.createTempFile(directory, "unfinished-", ".tmp");
                Files.write(unfinished, List.of(HexFormat.of().formatHex(hash)));
                Files.move(unfinished, note, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException readOnlyCache) {
                return hash;
            }
        }
        return hash;
    }

    private static byte[] hashOrFault(Path file) {
        try {
            return hash(file);
        } catch (IOException failure) {
            throw RegularFile.unreadable(file, failure);
        }
    }

    private static byte[] hash(Path file) throws IOException {
        MessageDigest digest = ContentHash.sha256();
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
            while (channel.read(buffer) >= 0) {
                digest.update(buffer.flip());
                buffer.clear();
            }
        }
        return digest.digest();
    }
}
