package dev.npuflow.workflow.file;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Text files that people write in, read whole before anything in them is changed.
public final class SmallText {

    private static final long LARGEST = 1 << 20;

    private SmallText() {}

    /// Empty where there is no such file.
    ///
    /// @throws NpuflowException NPF-101, NPF-107, NPF-108 as [RegularFile#find], NPF-512 if the file is no UTF-8 text, larger than 1 MiB, or cannot be read
    public static Optional<String> find(Path file) {
        return RegularFile.find(file).map(SmallText::read);
    }

    private static String read(Path file) {
        try {
            if (Files.size(file) <= LARGEST) {
                return Files.readString(file);
            }
        } catch (IOException e) {
            throw unreadable(file, FileReason.of(e));
        }
        throw unreadable(file, "larger than 1 MiB");
    }

    private static NpuflowException unreadable(Path file, String how) {
        return NpuflowException.badInput("NPF-512", file.toString(), how, "a text file in UTF-8 of at most 1 MiB", "to mend it or move it away");
    }
}
