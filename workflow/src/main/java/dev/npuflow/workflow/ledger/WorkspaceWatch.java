package dev.npuflow.workflow.ledger;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Sees that the workspace of a run is still there. The system goes on to write into a file that was removed as long as somebody holds it open: a run would end with
/// PASS and no record of it would be left. A file of the same name that another process made is another file.
final class WorkspaceWatch implements Runnable {

    private final Map<Path, String> files = new LinkedHashMap<>();

    /// Of the lock and the ledger as they are now, its log included where there is one.
    WorkspaceWatch(Path workspace) {
        Path directory = workspace.toAbsolutePath().normalize();
        for (String name : List.of(WorkspaceLock.NAME, LedgerFile.NAME, LedgerFile.NAME + "-wal")) {
            String identity = identity(directory.resolve(name));
            if (!identity.isEmpty()) {
                files.put(directory.resolve(name), identity);
            }
        }
    }

    /// @throws NpuflowException NPF-611
    @Override public void run() {
        files.forEach((file, identity) -> {
            String now = identity(file);
            if (!now.equals(identity)) {
                throw NpuflowException.environment("NPF-611", file.toString(), now.isEmpty() ? "removed while the run went on" : "replaced while the run went on",
                        "the workspace of a run to stay where it is", "the command again, which begins a new run");
            }
        });
    }

    /// What the file system knows a file by; empty where there is none.
    private static String identity(Path file) {
        try {
            return "file " + Objects.toString(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey(), "");
        } catch (IOException gone) {
            return "";
        }
    }
}
