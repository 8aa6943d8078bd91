package dev.npuflow.workflow.host;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.plan.HostOp;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The host's side of a run: executes host operations on the values of one query. fp32 inside, bf16 between steps.
public final class HostOperations {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ModelConfig config;
    private final Weights weights;
    private final Values values;
    private final KeyValueCache cache;
    private final RopeTable ropeTable;

    public HostOperations(ModelConfig config, Weights weights, Values values, KeyValueCache cache) {
        this.config = config;
        this.weights = weights;
        this.values = values;
        this.cache = cache;
        this.ropeTable = new RopeTable(config.rope());
    }

    /// @param layer         the layer that the step belongs to, 0 outside the layer section
    /// @param ids           the tokens of this pass, one a position
    /// @param firstPosition position of `ids[0]` in the query
    public void execute(HostOp op, int layer, int[] ids, int firstPosition) {
        switch (op.kind()) {
            case EMBED -> put(op, "out", embed(op, layer, ids));
            case ROPE_TABLE -> put(op, "out", ropeTable.rows(firstPosition, ids.length, op.shape().get("rows")));
            case DECODE_ATTENTION, PREFILL_ATTENTION -> put(op, "out", attention(op, layer, ids.length));
            case KV_CACHE_EXTRACT -> fillCache(op, layer, ids.length);
            case TRANSPOSE -> put(op, "out", transpose(op, ids.length));
            case ADD -> put(op, "out", add(input(op, "a"), input(op, "b")));
            case RMS_NORM -> put(op, "out", rmsNorm(input(op, "in"), weight(op, "weight", layer)));
            case SILU_MUL -> put(op, "out", siluMul(input(op, "gate"), input(op, "up")));
            case LAST_ROW -> put(op, "out", lastRow(input(op, "in"), ids.length));
            case ARGMAX -> put(op, "out", new short[0]);
        }
    }

    /// The logits that an argmax operation reads, its parts one after the other, as floats. What the last part has beyond the vocabulary is padding.
    public float[] logits(HostOp argmax) {
        float[] logits = new float[config.vocabSize()];
        int at = 0;
        for (String part : partsInOrder(argmax)) {
            if (at >= logits.length) {
                throw wrongSize(argmax, "%s, which is beyond them".formatted(part), logits.length);
            }
            for (short logit : values.get(part)) {
                if (at < logits.length) {
                    logits[at] = Bfloat16.toFloat(logit);
                }
                at++;
            }
        }
        if (at < logits.length) {
            throw wrongSize(argmax, Integer.toString(at), logits.length);
        }
        return logits;
    }

    private static NpuflowException wrongSize(HostOp argmax, String reads, int logits) {
        return NpuflowException.environment("NPF-243", "logits that %s reads".formatted(argmax.name()), reads, "%d, one an id of the vocabulary".formatted(logits), "parts that make up the vocabulary");
    }

    /// `part_2` before `part_10`.
    private static List<String> partsInOrder(HostOp argmax) {
        return argmax.inputs().entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, String> part) -> part.getKey().length()).thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getValue).toList();
    }

    private short[] embed(HostOp op, int layer, int[] ids) {
        Tensor table = tensor(op, "table", layer);
        short[] rows = new short[ids.length * table.columns()];
        for (int i = 0; i < ids.length; i++) {
            MemorySegment.copy(table.data(), BF16, 2L * ids[i] * table.columns(), rows, i * table.columns(), table.columns());
        }
        return rows;
    }

    private short[] attention(HostOp op, int layer, int positions) {
        boolean headFirst = "head_first".equals(op.options().get("layout"));
        int heads = config.heads();
        int headDim = config.headDim();
        short[] query = seqFirst(input(op, "query"), heads, positions, headFirst);
        short[] key = seqFirst(input(op, "key"), config.keyValueHeads(), positions, headFirst);
        short[] value = seqFirst(input(op, "value"), config.keyValueHeads(), positions, headFirst);
        short[] out = new short[query.length];
        HostAttention attention = new HostAttention(heads, config.keyValueHeads(), headDim, cache);
        for (int position = 0; position < positions; position++) {
            cache.append(layer, key, value, position * config.keyValueDim());
            attention.attend(layer, cache.length(layer), query, out, position * config.queryDim());
        }
        return headFirst ? Transpose.outerTwo(out, positions, heads, headDim) : out;
    }

    private void fillCache(HostOp op, int layer, int positions) {
        short[] key = input(op, "key");
        short[] value = input(op, "value");
        for (int position = 0; position < positions; position++) {
            cache.append(layer, key, value, position * config.keyValueDim());
        }
    }

    private short[] seqFirst(short[] value, int heads, int positions, boolean headFirst) {
        return headFirst ? Transpose.outerTwo(value, heads, positions, config.headDim()) : value;
    }

    private short[] transpose(HostOp op, int positions) {
        int heads = op.shape().get("heads");
        boolean toHeadFirst = "head_first".equals(op.options().get("to"));
        return Transpose.outerTwo(input(op, "in"), toHeadFirst ? positions : heads, toHeadFirst ? heads : positions, config.headDim());
    }

    private static short[] add(short[] a, short[] b) {
        short[] sum = new short[a.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = Bfloat16.fromFloat(Bfloat16.toFloat(a[i]) + Bfloat16.toFloat(b[i]));
        }
        return sum;
    }

    private short[] rmsNorm(short[] rows, short[] weight) {
        int n = weight.length;
        short[] out = new short[rows.length];
        for (int row = 0; row < rows.length / n; row++) {
            float squares = 0;
            for (int i = 0; i < n; i++) {
                float x = Bfloat16.toFloat(rows[row * n + i]);
                squares += x * x;
            }
            float scale = (float) (1 / Math.sqrt(squares / n + config.rmsNormEpsilon()));
            for (int i = 0; i < n; i++) {
                out[row * n + i] = Bfloat16.fromFloat(Bfloat16.toFloat(rows[row * n + i]) * scale * Bfloat16.toFloat(weight[i]));
            }
        }
        return out;
    }

    private static short[] siluMul(short[] gate, short[] up) {
        short[] out = new short[gate.length];
        for (int i = 0; i < out.length; i++) {
            float x = Bfloat16.toFloat(gate[i]);
            float silu = x / (1 + (float) StrictMath.exp(-x));
            out[i] = Bfloat16.fromFloat(silu * Bfloat16.toFloat(up[i]));
        }
        return out;
    }

    private static short[] lastRow(short[] rows, int positions) {
        int n = rows.length / positions;
        return Arrays.copyOfRange(rows, rows.length - n, rows.length);
    }

    private short[] input(HostOp op, String parameter) {
        return values.get(op.inputs().get(parameter));
    }

    private void put(HostOp op, String parameter, short[] value) {
        values.put(op.outputs().get(parameter), value);
    }

    private Tensor tensor(HostOp op, String parameter, int layer) {
        return weights.tensor(op.inputs().get(parameter).replace("{layer}", Integer.toString(layer)));
    }

    private short[] weight(HostOp op, String parameter, int layer) {
        return tensor(op, parameter, layer).data().toArray(BF16);
    }
}
