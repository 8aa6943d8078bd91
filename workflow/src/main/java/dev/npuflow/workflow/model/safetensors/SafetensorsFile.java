package dev.npuflow.workflow.model.safetensors;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileContent;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.file.RegularFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// A checked, mapped file. Everything that the header claims was compared with the file's real size before anything was allocated or read.
///
/// @param tensors in header order
/// @param data    the bytes after the header, read-only, valid as long as the arena they were mapped in
public record SafetensorsFile(Path path, List<TensorEntry> tensors, MemorySegment data) {

    /// The format's own limit for a header (safetensors, MAX_HEADER_SIZE).
    private static final long MAXIMUM_HEADER = 100_000_000;
    private static final ValueLayout.OfLong LENGTH = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public SafetensorsFile {
        tensors = List.copyOf(tensors);
    }

    /// @throws NpuflowException NPF-101, NPF-106 and NPF-120 to NPF-129, naming file and tensor
    public static SafetensorsFile map(Path path, Arena arena) {
        RegularFile.require(path);
        try (FileChannel channel = FileChannel.open(path)) {
            return check(path, channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
        } catch (IOException failure) {
            throw RegularFile.unreadable(path, failure);
        }
    }

    private static SafetensorsFile check(Path path, MemorySegment file) {
        String name = InputFile.name(path);
        if (!beginsWithHeader(file)) {
            FileContent.of(file.asSlice(0, Math.min(FileContent.START, file.byteSize())).toArray(ValueLayout.JAVA_BYTE)).ifPresent(content -> {
                throw InputFile.notWhatIsExpected(path, content, "a safetensors file");
            });
        }
        if (file.byteSize() < 8) {
            throw NpuflowException.badInput("NPF-120", name, "%d bytes".formatted(file.byteSize()), "8 bytes of header length first",
                    "downloading it again (it looks cut short)");
        }
        long length = file.get(LENGTH, 0);
        if (length < 0 || length > MAXIMUM_HEADER || length > file.byteSize() - 8) {
            throw NpuflowException.badInput("NPF-121", "%s: header length".formatted(name), "%s bytes in a file of %d".formatted(Long.toUnsignedString(length),
                    file.byteSize()), "a header inside the file, of at most %d bytes".formatted(MAXIMUM_HEADER),
                    "downloading it again (it is cut short, or no safetensors file)");
        }
        List<TensorEntry> tensors = HeaderParser.parse(name, file.asSlice(8, length).toArray(ValueLayout.JAVA_BYTE));
        requireContiguous(name, tensors, 8 + length, file.byteSize());
        return new SafetensorsFile(path, tensors, file.asSlice(8 + length));
    }

    /// No other format has eight bytes that make a length and an object behind them.
    private static boolean beginsWithHeader(MemorySegment file) {
        return file.byteSize() > 8 && file.get(LENGTH, 0) >= 0 && file.get(LENGTH, 0) <= MAXIMUM_HEADER && file.get(ValueLayout.JAVA_BYTE, 8) == '{';
    }

    /// The format knows no gap, no overlap and no byte that belongs to no tensor.
    private static void requireContiguous(String name, List<TensorEntry> tensors, long dataStart, long fileSize) {
        List<TensorEntry> sorted = tensors.stream().sorted(Comparator.comparingLong(TensorEntry::begin).thenComparingLong(TensorEntry::end)).toList();
        long position = 0;
        for (TensorEntry tensor : sorted) {
            if (tensor.begin() != position) {
                throw NpuflowException.badInput("NPF-125", "%s: tensor %s begins at byte %d".formatted(name, HeaderParser.shown(tensor.name()), tensor.begin()),
                        tensor.begin() < position ? "it overlaps the one before" : "a hole lies before it",
                        "it to begin at %d, where the one before ends".formatted(position), "writing the file again");
            }
            position = tensor.end();
        }
        if (position > fileSize - dataStart) {
            TensorEntry last = sorted.getLast();
            throw NpuflowException.badInput("NPF-126", "%s: tensor %s ends past the end of the file".formatted(name, HeaderParser.shown(last.name())),
                    "%d bytes".formatted(fileSize), "%s bytes".formatted(Long.toUnsignedString(dataStart + position)),
                    "downloading it again (it looks cut short)");
        }
        if (position < fileSize - dataStart) {
            throw NpuflowException.badInput("NPF-127", name, "%d bytes, the last ones in no tensor".formatted(fileSize),
                    "%d bytes".formatted(dataStart + position), "downloading it again");
        }
    }

    /// The bytes of one of its tensors.
    public MemorySegment bytes(TensorEntry tensor) {
        return data.asSlice(tensor.begin(), tensor.bytes());
    }
}
