package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.ContentHash;
import dev.npuflow.workflow.model.safetensors.HeaderWriter;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A synthetic set of a configuration's real shape, as a cached file that is mapped like any other, or in memory where the cache has no room.
final class SyntheticWeights {

    private static final long CHUNK_ELEMENTS = 1 << 20;
    private static final int SAMPLE = 64;

    private final SyntheticValues values = new SyntheticValues();
    private final List<TensorEntry> entries;
    private final byte[] header;
    private final Arena arena;

    private record Chunk(TensorEntry tensor, long from, long to) {

        long position() {
            return tensor.begin() + 2 * from;
        }
    }

    SyntheticWeights(ModelConfig config, Arena arena) {
        this.entries = HeaderWriter.layOut(TensorShapes.of(config));
        this.header = HeaderWriter.header(entries, Map.of("recipe", SyntheticValues.RECIPE));
        this.arena = arena;
    }

    long bytes() {
        return header.length + entries.getLast().end();
    }

    /// Names the recipe and every shape: two models of one shape share a file.
    String cacheName() {
        return "synthetic-%s.safetensors".formatted(ContentHash.of(header).substring(0, 16));
    }

    /// What stands in for the bytes in a fingerprint.
    byte[] identity() {
        return ContentHash.sha256().digest(header);
    }

    /// A cached file, if it is whole: its header is ours, and samples of every tensor are what they should be.
    SafetensorsFile map(Path file) throws IOException {
        SafetensorsFile mapped;
        try {
            mapped = SafetensorsFile.map(file, arena);
        } catch (NpuflowException damaged) {
            throw new IOException(damaged);
        }
        if (!mapped.tensors().equals(entries) || !entries.stream().allMatch(entry -> samplesMatch(mapped, entry))) {
            throw new IOException("%s is not what was written".formatted(file));
        }
        return mapped;
    }

    private boolean samplesMatch(SafetensorsFile file, TensorEntry entry) {
        long count = entry.bytes() / 2;
        MemorySegment expected = MemorySegment.ofArray(new short[SAMPLE]);
        for (long from : List.of(0L, count / 8 * 4, Math.max(0, count - SAMPLE) / 4 * 4)) {
            long to = Math.min(count, from + SAMPLE);
            values.fill(entry, from, to, expected);
            if (file.bytes(entry).asSlice(2 * from, 2 * (to - from)).mismatch(expected.asSlice(0, 2 * (to - from))) != -1) {
                return false;
            }
        }
        return true;
    }

    SafetensorsFile inMemory() {
        MemorySegment data = OffHeap.allocate(arena, entries.getLast().end());
        chunks().parallelStream().forEach(chunk -> values.fill(chunk.tensor(), chunk.from(), chunk.to(), data.asSlice(chunk.position())));
        return new SafetensorsFile(Path.of("synthetic weights"), entries, data.asReadOnly());
    }

    /// Writes the whole set; both cores fill and write chunks at their places.
    void write(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            writeFully(channel, ByteBuffer.wrap(header), 0);
            chunks().parallelStream().forEach(chunk -> writeChunk(channel, chunk));
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private void writeChunk(FileChannel channel, Chunk chunk) {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment buffer = own.allocate(2 * (chunk.to() - chunk.from()), Long.BYTES);
            values.fill(chunk.tensor(), chunk.from(), chunk.to(), buffer);
            writeFully(channel, buffer.asByteBuffer(), header.length + chunk.position());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    private List<Chunk> chunks() {
        List<Chunk> chunks = new ArrayList<>();
        for (TensorEntry tensor : entries) {
            long count = tensor.bytes() / 2;
            for (long from = 0; from < count; from += CHUNK_ELEMENTS) {
                chunks.add(new Chunk(tensor, from, Math.min(count, from + CHUNK_ELEMENTS)));
            }
        }
        return chunks;
    }
}
