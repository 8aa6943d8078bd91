package dev.npuflow.benchmarks;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/// A temporary file of random bf16 weights, mapped as a model's are, and the plain reading that a GEMV is measured against.
public record MappedWeights(Path file, Arena arena, MemorySegment data) implements AutoCloseable {

    private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;
    private static final int PIECE = 64 * 1024;

    /// Runs `part` for 0 to `parts` − 1 on threads of its own.
    @FunctionalInterface
    public interface Parallel {
        void run(int parts, IntConsumer part);
    }

    public static MappedWeights create(Optional<String> directory, long bytes) throws IOException {
        Path file = directory.isPresent() ? Files.createTempFile(Path.of(directory.get()), "weights", ".bin") : Files.createTempFile("weights", ".bin");
        file.toFile().deleteOnExit();
        fill(file, bytes);
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file)) {
            return new MappedWeights(file, arena, channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena));
        }
    }

    /// Reads every byte, each thread its own run of the file.
    ///
    /// @return the number of bytes
    public long readAll(int parts, Parallel parallel) {
        long pieces = data.byteSize() / PIECE;
        LongAdder sum = new LongAdder();
        parallel.run(parts, part -> {
            long total = 0;
            for (long piece = pieces * part / parts; piece < pieces * (part + 1) / parts; piece++) {
                total += read(piece * PIECE);
            }
            sum.add(total);
        });
        if (sum.sum() == 0) {
            throw new IllegalStateException("random weights do not add up to 0");
        }
        return pieces * PIECE;
    }

    @Override public void close() throws IOException {
        arena.close();
        Files.delete(file);
    }

    private long read(long offset) {
        LongVector a = LongVector.zero(SPECIES);
        LongVector b = a;
        LongVector c = a;
        LongVector d = a;
        int width = SPECIES.vectorByteSize();
        for (int at = 0; at < PIECE; at += 4 * width) {
            a = a.add(LongVector.fromMemorySegment(SPECIES, data, offset + at, LITTLE_ENDIAN));
            b = b.add(LongVector.fromMemorySegment(SPECIES, data, offset + at + width, LITTLE_ENDIAN));
            c = c.add(LongVector.fromMemorySegment(SPECIES, data, offset + at + 2 * width, LITTLE_ENDIAN));
            d = d.add(LongVector.fromMemorySegment(SPECIES, data, offset + at + 3 * width, LITTLE_ENDIAN));
        }
        LongVector all = a.add(b).add(c.add(d));
        long sum = 0;
        for (int lane = 0; lane < SPECIES.length(); lane++) {
            sum += all.lane(lane);
        }
        return sum;
    }

    private static void fill(Path file, long bytes) throws IOException {
        Random random = new Random(1);
        ByteBuffer buffer = ByteBuffer.allocate(1 << 20).order(LITTLE_ENDIAN);
        for (int at = 0; at < buffer.capacity(); at += 2) {
            buffer.putShort(at, (short) (Float.floatToRawIntBits((float) random.nextGaussian() / 50) >>> 16));
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0;) {
                buffer.clear().limit((int) Math.min(left, buffer.capacity()));
                left -= channel.write(buffer);
            }
        }
    }
}
