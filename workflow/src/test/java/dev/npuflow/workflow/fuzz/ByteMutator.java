package dev.npuflow.workflow.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Damages bytes without knowing what they mean: bits flipped, cut, doubled, and words set to what lengths and counts must not be.
///
/// @param reach only so many bytes from the start are changed: of weights any value is good
record ByteMutator(int reach) implements Mutator {

    private static final List<Long> WORDS = List.of(0L, 1L, -1L, 7L, 8L, 0x7fL, 0x80L, 0xffL, 0x7fffL, 0x8000L, 0xffffL, 0x7fffffffL, 0x80000000L, 0xffffffffL, 0x100000000L, Long.MAX_VALUE, Long.MIN_VALUE,
            100_000_000L, 100_000_001L);

    static final ByteMutator EVERYWHERE = new ByteMutator(Integer.MAX_VALUE);

    @Override public byte[] change(byte[] input, Random random, StringBuilder said) {
        int end = Math.min(reach, input.length);
        if (end == 0) {
            return input;
        }
        int at = random.nextInt(end);
        byte[] bytes = input.clone();
        switch (random.nextInt(9)) {
            case 0 -> {
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                said.append("flip a bit of byte ").append(at);
            }
            case 1 -> {
                bytes[at] = (byte) random.nextInt(256);
                said.append("another byte ").append(at);
            }
            case 2 -> {
                said.append("cut at ").append(at);
                return Arrays.copyOf(bytes, at);
            }
            case 3 -> {
                said.append("something behind the end");
                return joined(bytes, random(random, 1 + random.nextInt(64)));
            }
            case 4 -> {
                said.append("bytes put in at ").append(at);
                return joined(Arrays.copyOf(bytes, at), random(random, 1 + random.nextInt(16)), Arrays.copyOfRange(bytes, at, bytes.length));
            }
            case 5 -> {
                int gone = Math.min(bytes.length, at + 1 + random.nextInt(64));
                said.append("bytes %d to %d taken out".formatted(at, gone));
                return joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, gone, bytes.length));
            }
            case 6 -> {
                int again = Math.min(bytes.length, at + 1 + random.nextInt(256));
                said.append("bytes %d to %d twice".formatted(at, again));
                return joined(Arrays.copyOf(bytes, again), Arrays.copyOfRange(bytes, at, bytes.length));
            }
            case 7 -> {
                int filled = Math.min(bytes.length, at + 1 + random.nextInt(256));
                Arrays.fill(bytes, at, filled, (byte) (random.nextBoolean() ? 0 : random.nextInt(256)));
                said.append("one value from byte %d to %d".formatted(at, filled));
            }
            default -> word(bytes, random, said);
        }
        return bytes;
    }

    /// A word that stands where one may stand: lengths and offsets of binary formats are aligned or near the start.
    private void word(byte[] bytes, Random random, StringBuilder said) {
        int width = 2 << random.nextInt(3);
        int places = Math.min(reach, bytes.length) - width + 1;
        if (places < 1) {
            return;
        }
        int at = random.nextInt(3) == 0 ? Math.min(places - 1, random.nextInt(64)) : random.nextInt(places);
        long value = WORDS.get(random.nextInt(WORDS.size()));
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        switch (width) {
            case 2 -> buffer.putShort(at, (short) value);
            case 4 -> buffer.putInt(at, (int) value);
            default -> buffer.putLong(at, value);
        }
        said.append("the %d bytes at %d become %d".formatted(width, at, value));
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
