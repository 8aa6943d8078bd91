package dev.npuflow.acceptance;

import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.workflow.model.ModelConfig;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// FlashAttention written anew on the device's memory, with the wrong key/value heads.
record FlashAttention(ModelConfig config, boolean headFirst) {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    void overwrite(Operands operands) {
        int positions = operands.activePositions();
        List<short[]> queries = rows(operands.port("query"), positions, config.heads());
        List<short[]> keys = rows(operands.port("key"), positions, config.keyValueHeads());
        List<short[]> values = rows(operands.port("value"), positions, config.keyValueHeads());
        Attention wrong = new Attention(config, true);
        for (int position = 0; position < positions; position++) {
            short[] out = wrong.attend(queries.get(position), keys.subList(0, position + 1), values.subList(0, position + 1));
            for (int head = 0; head < config.heads(); head++) {
                MemorySegment.copy(out, head * config.headDim(), operands.port("out"), BF16, 2L * at(position, head, positions, config.heads()),
                        config.headDim());
            }
        }
    }

    /// (heads, head_dim) of each position.
    private List<short[]> rows(MemorySegment memory, int positions, int heads) {
        short[] all = memory.asSlice(0, 2L * positions * heads * config.headDim()).toArray(BF16);
        return IntStream.range(0, positions).mapToObj(position -> {
            short[] row = new short[heads * config.headDim()];
            for (int head = 0; head < heads; head++) {
                short[] one = Arrays.copyOfRange(all, at(position, head, positions, heads), at(position, head, positions, heads) + config.headDim());
                System.arraycopy(one, 0, row, head * config.headDim(), config.headDim());
            }
            return row;
        }).toList();
    }

    private int at(int position, int head, int positions, int heads) {
        return (headFirst ? head * positions + position : position * heads + head) * config.headDim();
    }
}
