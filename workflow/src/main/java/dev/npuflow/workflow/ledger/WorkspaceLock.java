package dev.npuflow.workflow.ledger;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// One writer a workspace. The operating system holds the lock and drops it when the process dies, however it dies; that the file exists
/// means nothing, and it is never deleted.
public final class WorkspaceLock implements AutoCloseable {

    static final String NAME = "lock";

    private static final int LONGEST_HOLDER = 32;

    private final FileChannel channel;

    private WorkspaceLock(FileChannel channel) {
        this.channel = channel;
    }

    /// @throws NpuflowException NPF-601 if another run holds it, NPF-600 if the file cannot be made
    public static WorkspaceLock take(Path workspace) {
        Path file = workspace.resolve(NAME);
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
            if (!locked(channel)) {
                String holder = holder(file);
                channel.close();
                throw NpuflowException.environment("NPF-601", file.toString(), format(ROOT, "held by %s", holder), "no other run in this workspace",
                        "again when it has ended, or another --workspace");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
            return new WorkspaceLock(channel);
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-600", file.toString(), FileReason.of(e), "a file that can be written",
                    "another --workspace");
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /// For people only; the holder may have written nothing yet.
    private static String holder(Path file) throws IOException {
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String text = new String(in.readNBytes(LONGEST_HOLDER), StandardCharsets.UTF_8);
            return text.matches("process \\d+") ? text : "another process";
        }
    }

    @Override public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-600", "lock of the workspace", FileReason.of(e), "it to be released",
                    "the command again, or another --workspace");
        }
    }
}
