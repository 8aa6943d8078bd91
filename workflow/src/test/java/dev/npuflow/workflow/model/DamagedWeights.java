package dev.npuflow.workflow.model;

import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Copies of model folders with one bf16 weight changed.
public final class DamagedWeights {

    private DamagedWeights() {}

    /// @param bits the new value's
    /// @return the copy, `to`
    public static Path copy(Path model, Path to, String tensor, int row, int column, int bits) {
        try {
            Files.createDirectories(to);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(model)) {
                for (Path file : files) {
                    Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Path weights = to.resolve("model.safetensors");
            long at = position(weights, tensor, row, column);
            try (FileChannel channel = FileChannel.open(weights, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN).putShort(0, (short) bits), at);
            }
            return to;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long position(Path file, String tensor, int row, int column) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            SafetensorsFile mapped = SafetensorsFile.map(file, arena);
            TensorEntry entry = mapped.tensors().stream().filter(each -> each.name().equals(tensor)).findFirst().orElseThrow();
            return Files.size(file) - mapped.data().byteSize() + entry.begin() + 2 * (row * entry.shape().getLast() + column);
        }
    }
}
