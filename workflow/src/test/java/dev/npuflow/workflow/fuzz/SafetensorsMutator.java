package dev.npuflow.workflow.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/// Damages the header of a safetensors file by its structure, and says its new length, or not.
record SafetensorsMutator() implements Mutator {

    @Override public byte[] change(byte[] input, Random random, StringBuilder said) {
        long length = input.length < 8 ? -1 : ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
        if (length < 0 || length > input.length - 8) {
            return ByteMutator.EVERYWHERE.change(input, random, said);
        }
        byte[] header = new JsonMutator().change(Arrays.copyOfRange(input, 8, 8 + (int) length), random, said);
        long told = random.nextInt(8) == 0 ? length : header.length;
        byte[] word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(told).array();
        return ByteMutator.joined(word, header, Arrays.copyOfRange(input, 8 + (int) length, input.length));
    }
}
