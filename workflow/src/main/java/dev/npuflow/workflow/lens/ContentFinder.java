package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Rope;
import java.util.Arrays;

/// Recognizes values: whose output, which position's RoPE rows. As every operator's output was made the reference's, the same bits mean
/// the same value.
final class ContentFinder {

    /// Two computations of a table may differ in a last bit; another position is far beyond.
    private static final double SAME_TABLE = 0.01;

    private final LanguageModel model;
    private final ReferenceSteps reference;

    ContentFinder(LanguageModel model, ReferenceSteps reference) {
        this.model = model;
        this.reference = reference;
    }

    /// @param found    what the port reads, at least the elements of `expected`
    /// @param expected the reference's output that it should read, in the layout in which it should
    Content activation(short[] found, short[] expected, Key key, ReferencePass pass) {
        if (Bf16Rows.begins(found, expected)) {
            return new Content.Right();
        }
        short[] read = found.length == expected.length ? found : Arrays.copyOf(found, expected.length);
        if (Bf16Rows.zeros(read)) {
            return new Content.Zeros();
        }
        if (is(read, key, pass)) {
            return new Content.OtherLayout();
        }
        int first = pass.step() == 0 ? 0 : 1;
        for (boolean sameOperator : new boolean[] {true, false}) {
            for (int step = pass.step(); step >= first; step--) {
                for (Key known : reference.pass(step).outputs().keySet()) {
                    boolean same = known.name().equals(key.name());
                    if (same == sameOperator && is(read, known, reference.pass(step))) {
                        return new Content.Output(known, step, pass.step());
                    }
                }
            }
        }
        return new Content.Unknown();
    }

    /// In either layout, where there are two.
    private boolean is(short[] read, Key known, ReferencePass pass) {
        short[] seqFirst = pass.get(known);
        if (seqFirst.length != read.length) {
            return false;
        }
        int heads = model.config().dimensions().heads(known.value());
        return Arrays.equals(read, seqFirst) || heads > 0 && pass.positions() > 1
                && Arrays.equals(read, Bf16Rows.transposed(seqFirst, pass.positions(), heads, model.config().headDim()));
    }

    /// @param found   positions · heads rows of `rotary_dim`
    Content table(short[] found, ReferencePass pass, int heads) {
        if (isTable(found, pass, pass.firstPosition(), heads, false)) {
            return new Content.Right();
        }
        if (isTable(found, pass, pass.firstPosition(), heads, true)) {
            return new Content.InterleavedTable();
        }
        int length = pass.positions() * heads * model.config().rope().rotaryDim();
        if (Bf16Rows.zeros(Arrays.copyOf(found, length))) {
            return new Content.Zeros();
        }
        for (int position = pass.firstPosition() + 2; position >= 0; position--) {
            if (isTable(found, pass, position, heads, false)) {
                return new Content.Table(position);
            }
        }
        return new Content.Unknown();
    }

    private boolean isTable(short[] found, ReferencePass pass, int firstPosition, int heads, boolean interleaved) {
        short[] rows = table(model.config().rope(), pass, firstPosition, heads, interleaved);
        return found.length >= rows.length && Bf16Rows.difference(found, rows, pass.positions() * heads) < SAME_TABLE;
    }

    /// Rows from a position on, with the frequencies that the pass has.
    private static short[] table(Rope rope, ReferencePass pass, int firstPosition, int heads, boolean interleaved) {
        int positions = pass.positions();
        float[] frequencies = rope.inverseFrequencies(pass.length());
        int half = frequencies.length;
        short[] rows = new short[positions * heads * 2 * half];
        for (int row = 0; row < positions * heads; row++) {
            for (int i = 0; i < half; i++) {
                double angle = (firstPosition + row / heads) * (double) frequencies[i];
                int at = row * 2 * half;
                rows[at + (interleaved ? 2 * i : i)] = Bfloat16.fromFloat((float) (Math.cos(angle) * rope.attentionFactor()));
                rows[at + (interleaved ? 2 * i + 1 : half + i)] = Bfloat16.fromFloat((float) (Math.sin(angle) * rope.attentionFactor()));
            }
        }
        return rows;
    }
}
