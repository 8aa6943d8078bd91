package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Rope;
import dev.npuflow.workflow.model.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Recognizes values: whose output, which weight, which position's RoPE rows. As every operator's output was made the reference's, the same bits mean
/// the same value.
final class ContentFinder {

    /// The one tensor that a plan may take in parts.
    private static final String HEAD = "lm_head.weight";
    private static final List<String> LAYER_WEIGHTS = List.of("input_layernorm.weight", "self_attn.q_proj.weight", "self_attn.k_proj.weight",
            "self_attn.v_proj.weight", "self_attn.o_proj.weight", "post_attention_layernorm.weight", "mlp.gate_proj.weight", "mlp.up_proj.weight",
            "mlp.down_proj.weight");
    /// Two computations of a table may differ in a last bit; another position is far beyond.
    private static final double SAME_TABLE = 0.01;

    private final LanguageModel model;
    private final ReferenceSteps reference;

    ContentFinder(LanguageModel model, ReferenceSteps reference) {
        this.model = model;
        this.reference = reference;
    }

    /// @param found    what the port reads, at least the elements of `expected`
    /// @param expected the reference's output that it should read
    Content activation(short[] found, short[] expected, Key key, ReferencePass pass) {
        if (Bf16Rows.begins(found, expected)) {
            return new Content.Right();
        }
        short[] read = found.length == expected.length ? found : Arrays.copyOf(found, expected.length);
        if (Bf16Rows.zeros(read)) {
            return new Content.Zeros();
        }
        int first = pass.step() == 0 ? 0 : 1;
        for (boolean sameOperator : new boolean[] {true, false}) {
            for (int step = pass.step(); step >= first; step--) {
                for (var known : reference.pass(step).outputs().entrySet()) {
                    boolean same = known.getKey().operator() == key.operator();
                    if (same == sameOperator && known.getValue().length == read.length && Bf16Rows.begins(read, known.getValue())) {
                        return new Content.Output(known.getKey(), step, pass.step());
                    }
                }
            }
        }
        return new Content.Unknown();
    }

    /// @param found  the bytes behind the port, whole rows
    /// @param tensor Hugging Face name of the tensor that should stand there, from `firstRow` on
    Content weight(MemorySegment found, String tensor, long firstRow) {
        if (equal(found, tensor, firstRow)) {
            return new Content.Right();
        }
        List<String> candidates = new ArrayList<>();
        int layers = model.config().layers();
        String inLayer = tensor.replaceFirst("^model\\.layers\\.\\d+\\.", "");
        if (!inLayer.equals(tensor)) {
            String prefix = tensor.substring(0, tensor.length() - inLayer.length());
            IntStream.range(0, layers).mapToObj(layer -> "model.layers.%d.%s".formatted(layer, inLayer)).forEach(candidates::add);
            LAYER_WEIGHTS.forEach(name -> candidates.add(prefix + name));
            IntStream.range(0, layers).forEach(layer -> LAYER_WEIGHTS.forEach(name -> candidates.add("model.layers.%d.%s".formatted(layer, name))));
        }
        candidates.add("model.norm.weight");
        for (String candidate : candidates) {
            if (equal(found, candidate, 0)) {
                return new Content.Weight(candidate, 0);
            }
        }
        Tensor whole = model.weights().tensor(tensor);
        long rows = Math.max(1, found.byteSize() / (2L * whole.columns()));
        for (long row = 0; row + rows <= whole.rows(); row += rows) {
            if (equal(found, tensor, row)) {
                return new Content.Weight(tensor, (int) row);
            }
        }
        return isZero(found) ? new Content.Zeros() : new Content.Unknown();
    }

    private static boolean isZero(MemorySegment found) {
        for (long at = 0; at < found.byteSize(); at++) {
            if (found.get(ValueLayout.JAVA_BYTE, at) != 0) {
                return false;
            }
        }
        return true;
    }

    private boolean equal(MemorySegment found, String name, long firstRow) {
        Tensor tensor = model.weights().tensor(name);
        long from = firstRow * 2L * tensor.columns();
        return from + found.byteSize() <= tensor.data().byteSize() && (name.equals(HEAD) || found.byteSize() == tensor.data().byteSize())
                && found.mismatch(tensor.data().asSlice(from, found.byteSize())) == -1;
    }

    /// @param found   positions · heads rows of `rotary_dim`
    Content table(short[] found, ReferencePass pass, int heads) {
        if (isTable(found, pass.firstPosition(), pass.positions(), heads, false)) {
            return new Content.Right();
        }
        if (isTable(found, pass.firstPosition(), pass.positions(), heads, true)) {
            return new Content.InterleavedTable();
        }
        int length = pass.positions() * heads * model.config().rope().rotaryDim();
        if (Bf16Rows.zeros(Arrays.copyOf(found, length))) {
            return new Content.Zeros();
        }
        for (int position = pass.firstPosition() + 2; position >= 0; position--) {
            if (isTable(found, position, pass.positions(), heads, false)) {
                return new Content.Table(position);
            }
        }
        return new Content.Unknown();
    }

    private boolean isTable(short[] found, int firstPosition, int positions, int heads, boolean interleaved) {
        short[] rows = table(model.config().rope(), firstPosition, positions, heads, interleaved);
        return found.length >= rows.length && Bf16Rows.difference(found, rows, positions * heads) < SAME_TABLE;
    }

    private static short[] table(Rope rope, int firstPosition, int positions, int heads, boolean interleaved) {
        float[] frequencies = rope.inverseFrequencies();
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
