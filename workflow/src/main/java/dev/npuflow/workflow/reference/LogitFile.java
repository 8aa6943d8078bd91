package dev.npuflow.workflow.reference;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.gate.Yardstick;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/// One prompt's unrounded logits on disk, a step at a time: a step of llama32_1b takes 0.5 MB, so that all its prompts would not fit in the heap of the tests.
/// Little endian:
///
///     "npuflow logits 1" | 32 bytes: hash of the key | int steps | int vocabulary
///     a step: double noise | float logits[vocabulary] | int CRC-32C of both
///
/// @param noises KL(unrounded ‖ reference) a step, in nats
record LogitFile(Path file, int vocabulary, List<Double> noises) implements Yardstick {

    private static final byte[] MAGIC = "npuflow logits 1".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY = 32;
    private static final int HEADER = MAGIC.length + KEY + 2 * Integer.BYTES;

    LogitFile {
        noises = List.copyOf(noises);
    }

    @Override public int steps() {
        return noises.size();
    }

    @Override public double noise(int step) {
        return noises.get(step);
    }

    /// @throws NpuflowException NPF-166 if the file is not any more what it was when it was opened
    @Override public float[] unrounded(int step) {
        try (FileChannel channel = FileChannel.open(file)) {
            Optional<Step> read = read(channel, step, vocabulary);
            if (read.isPresent()) {
                return read.get().logits();
            }
        } catch (IOException e) {
            throw changed(FileReason.of(e));
        }
        throw changed("step %d is damaged".formatted(step));
    }

    private NpuflowException changed(String how) {
        return NpuflowException.environment("NPF-166", "unrounded logits %s".formatted(file), how, "the file to stay as it was when it was opened",
                "running again, which computes it anew, and leaving the cache alone meanwhile");
    }

    /// Empty where there is no such file, or one that is not believed: every byte of it is looked at.
    ///
    /// @param key   SHA-256 in hex
    /// @param steps   that it must hold
    /// @param notices told of a file that is not believed
    static Optional<LogitFile> find(Path file, String key, int steps, Consumer<String> notices) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        Optional<LogitFile> believed = believed(file, key, steps);
        if (believed.isEmpty()) {
            notices.accept("reference: %s is damaged, computing it again".formatted(file));
        }
        return believed;
    }

    private static Optional<LogitFile> believed(Path file, String key, int steps) {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer header = little(HEADER);
            fill(channel, header, 0);
            byte[] expected = header(key, steps, header.getInt(HEADER - Integer.BYTES)).array();
            int vocabulary = header.getInt(HEADER - Integer.BYTES);
            if (!Arrays.equals(expected, header.array()) || vocabulary < 1 || channel.size() != HEADER + steps * stepBytes(vocabulary)) {
                return Optional.empty();
            }
            List<Double> noises = new ArrayList<>();
            for (int step = 0; step < steps; step++) {
                Optional<Step> read = read(channel, step, vocabulary);
                if (read.isEmpty()) {
                    return Optional.empty();
                }
                noises.add(read.get().noise());
            }
            return Optional.of(new LogitFile(file, vocabulary, noises));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private record Step(double noise, float[] logits) {}

    private static Optional<Step> read(FileChannel channel, int step, int vocabulary) throws IOException {
        ByteBuffer bytes = little(Math.toIntExact(stepBytes(vocabulary)));
        fill(channel, bytes, HEADER + step * stepBytes(vocabulary));
        int summed = bytes.capacity() - Integer.BYTES;
        if (checksum(bytes.slice(0, summed)) != bytes.getInt(summed)) {
            return Optional.empty();
        }
        float[] logits = new float[vocabulary];
        bytes.slice(Double.BYTES, summed - Double.BYTES).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(logits);
        return Optional.of(new Step(bytes.getDouble(0), logits));
    }

    private static void fill(FileChannel channel, ByteBuffer bytes, long from) throws IOException {
        for (long at = from; bytes.hasRemaining();) {
            int read = channel.read(bytes, at);
            if (read < 0) {
                throw new EOFException();
            }
            at += read;
        }
        bytes.flip();
    }

    private static long stepBytes(int vocabulary) {
        return Double.BYTES + (long) Float.BYTES * vocabulary + Integer.BYTES;
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    private static ByteBuffer header(String key, int steps, int vocabulary) {
        ByteBuffer header = little(HEADER).put(MAGIC).put(HexFormat.of().parseHex(key)).putInt(steps).putInt(vocabulary);
        return header.flip();
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Writes a file step by step under a temporary name; it gets its own when it is whole, and a writer that is closed before leaves nothing.
    static final class Writer implements AutoCloseable {

        private final Path file;
        private final Path part;
        private final FileChannel channel;
        private final String key;
        private final int steps;
        private int vocabulary;
        private int written;

        /// @throws NpuflowException NPF-164
        Writer(Path file, String key, int steps) {
            this.file = file;
            this.key = key;
            this.steps = steps;
            this.part = file.resolveSibling(".%s.%d.part".formatted(file.getFileName(), ProcessHandle.current().pid()));
            try {
                Files.createDirectories(file.toAbsolutePath().getParent());
                this.channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            } catch (IOException e) {
                throw TraceCache.unwritable(file, e);
            }
        }

        /// @param logits as many as those of the step before
        void add(double noise, float[] logits) {
            try {
                if (written == 0) {
                    vocabulary = logits.length;
                    write(header(key, steps, vocabulary));
                }
                ByteBuffer bytes = little(Math.toIntExact(stepBytes(vocabulary))).putDouble(noise);
                bytes.slice(Double.BYTES, Float.BYTES * vocabulary).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(logits);
                int summed = bytes.capacity() - Integer.BYTES;
                bytes.putInt(summed, checksum(bytes.slice(0, summed)));
                write(bytes.clear());
                written++;
            } catch (IOException e) {
                throw TraceCache.unwritable(file, e);
            }
        }

        private void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        /// The file that is whole now.
        LogitFile finish() {
            try {
                channel.close();
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw TraceCache.unwritable(file, e);
            }
            return believed(file, key, steps).orElseThrow(() -> TraceCache.unwritable(file, new IOException("it does not hold what was written")));
        }

        @Override public void close() {
            try {
                channel.close();
                Files.deleteIfExists(part);
            } catch (IOException e) {
                throw TraceCache.unwritable(file, e);
            }
        }
    }
}
