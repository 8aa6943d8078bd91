package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.stream.IntStream;

/// Attention in double precision over the reference's queries, keys and values, with one mistake at a time.
///
/// @param queries positions of the pass · heads · head_dim
/// @param keys    all positions up to the last of the pass · kv_heads · head_dim
/// @param values  likewise
record AttentionHistory(ModelConfig config, int firstPosition, int positions, short[] queries, short[] keys, short[] values) {

    /// What can go wrong between the KV cache and the heads.
    enum Mistake { NONE, HEAD_MODULO, OWN_MISSING, FIRST_MISSING, PREDECESSOR_OVERWRITTEN, ONE_TOO_MANY, OTHER_LAYOUT }

    static AttentionHistory of(ModelConfig config, ReferenceSteps reference, ReferencePass pass, int layer) {
        Operator.Attention attention = config.block().attention();
        return new AttentionHistory(config, pass.firstPosition(), pass.positions(), pass.get(new Key(layer, attention.query())),
                upTo(reference, pass, layer, attention.key()), upTo(reference, pass, layer, attention.value()));
    }

    private static short[] upTo(ReferenceSteps reference, ReferencePass pass, int layer, Value value) {
        int width = pass.get(new Key(layer, value)).length / pass.positions();
        short[] all = new short[(pass.firstPosition() + pass.positions()) * width];
        for (int step = 0; step <= pass.step(); step++) {
            short[] rows = reference.pass(step).get(new Key(layer, value));
            System.arraycopy(rows, 0, all, reference.pass(step).firstPosition() * width, rows.length);
        }
        return all;
    }

    /// The same queries on another layer's cache.
    ///
    /// @param own how many of the pass's own positions are the other layer's too, all or none
    short[] withCacheOf(ReferenceSteps reference, int layer, int own) {
        ReferencePass pass = IntStream.iterate(0, step -> step + 1).mapToObj(reference::pass)
                .filter(candidate -> candidate.firstPosition() == firstPosition)
                .findFirst().orElseThrow();
        short[] otherKeys = upTo(reference, pass, layer, config.block().attention().key());
        short[] otherValues = upTo(reference, pass, layer, config.block().attention().value());
        int elements = (firstPosition + own) * config.keyValueDim();
        System.arraycopy(keys, elements, otherKeys, elements, keys.length - elements);
        System.arraycopy(values, elements, otherValues, elements, values.length - elements);
        return new AttentionHistory(config, firstPosition, positions, queries, otherKeys, otherValues).attend(Mistake.NONE);
    }

    short[] attend(Mistake mistake) {
        if (mistake == Mistake.OTHER_LAYOUT) {
            return misread();
        }
        short[] out = new short[queries.length];
        for (int row = 0; row < positions; row++) {
            int own = firstPosition + row;
            int[] seen = visible(own, mistake);
            for (int head = 0; head < config.heads(); head++) {
                int group = mistake == Mistake.HEAD_MODULO ? head % config.keyValueHeads() : head / (config.heads() / config.keyValueHeads());
                attend(row, head, group, seen, out);
            }
        }
        return out;
    }

    /// Cached positions that a query sees; −1 is a row of zeros.
    private static int[] visible(int own, Mistake mistake) {
        return switch (mistake) {
            case NONE, HEAD_MODULO, OTHER_LAYOUT -> IntStream.rangeClosed(0, own).toArray();
            case OWN_MISSING -> own == 0 ? new int[] {0} : IntStream.range(0, own).toArray();
            case FIRST_MISSING -> own == 0 ? new int[] {0} : IntStream.rangeClosed(1, own).toArray();
            case PREDECESSOR_OVERWRITTEN -> IntStream.rangeClosed(0, own).filter(position -> position != own - 1).toArray();
            case ONE_TOO_MANY -> IntStream.concat(IntStream.rangeClosed(0, own), IntStream.of(-1)).toArray();
        };
    }

    private void attend(int row, int head, int group, int[] seen, short[] out) {
        int headDim = config.headDim();
        int query = (row * config.heads() + head) * headDim;
        double[] scores = new double[seen.length];
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < seen.length; i++) {
            for (int d = 0; d < headDim; d++) {
                scores[i] += seen[i] < 0 ? 0 : Bfloat16.toFloat(queries[query + d]) * (double) Bfloat16.toFloat(keys[at(seen[i], group) + d]);
            }
            scores[i] /= Math.sqrt(headDim);
            largest = Math.max(largest, scores[i]);
        }
        double sum = 0;
        for (int i = 0; i < seen.length; i++) {
            scores[i] = Math.exp(scores[i] - largest);
            sum += scores[i];
        }
        for (int d = 0; d < headDim; d++) {
            double mixed = 0;
            for (int i = 0; i < seen.length; i++) {
                mixed += seen[i] < 0 ? 0 : scores[i] / sum * Bfloat16.toFloat(values[at(seen[i], group) + d]);
            }
            out[query + d] = OutputEvidence.round(mixed);
        }
    }

    /// Query, key and value as they read where the other layout was meant, and the output likewise.
    private short[] misread() {
        int kvHeads = config.keyValueHeads();
        AttentionHistory misread = new AttentionHistory(config, firstPosition, positions,
                Bf16Rows.transposed(queries, config.heads(), positions, config.headDim()),
                        Bf16Rows.transposed(keys, kvHeads, positions, config.headDim()),
                Bf16Rows.transposed(values, kvHeads, positions, config.headDim()));
        return Bf16Rows.transposed(misread.attend(Mistake.NONE), positions, config.heads(), config.headDim());
    }

    private int at(int position, int group) {
        return (position * config.keyValueHeads() + group) * config.headDim();
    }
}
