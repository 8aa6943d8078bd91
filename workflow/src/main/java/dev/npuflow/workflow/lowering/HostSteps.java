package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The host operations of a baseline; parameters, extents and options as [HostKind] says.
final class HostSteps {

    private final ModelShape model;
    private final int positions;

    HostSteps(ModelShape model, Phase phase) {
        this.model = model;
        this.positions = phase == Phase.DECODE ? 1 : model.paddedPrefill();
    }

    HostOp embed(String ids, String out) {
        return op("embed", HostKind.EMBED, Map.of("ids", ids, "table", "model.embed_tokens.weight"), out, Map.of("n", model.hiddenSize()), Map.of());
    }

    HostOp ropeTable(String out, int heads) {
        return op(out + "_table", HostKind.ROPE_TABLE, Map.of(), out, Map.of("rows", heads, "rotary_dim", model.rotaryDim()), Map.of());
    }

    HostOp decodeAttention(String query, String key, String value, String out) {
        return op("decode_attention", HostKind.DECODE_ATTENTION, Map.of("query", query, "key", key, "value", value), out, heads(), Map.of());
    }

    HostOp prefillAttention(String query, String key, String value, String out, String layout) {
        return op("prefill_attention", HostKind.PREFILL_ATTENTION, Map.of("query", query, "key", key, "value", value), out, heads(),
                Map.of("layout", layout));
    }

    HostOp transpose(String in, String out, int heads, String layout) {
        return op("transpose_" + in, HostKind.TRANSPOSE, Map.of("in", in), out, Map.of("heads", heads, "head_dim", model.headDim()),
                Map.of("to", layout));
    }

    /// Keys or values of all positions, in the KV cache's layout.
    HostOp extract(String in, String out) {
        HostOp transpose = transpose(in, out, model.keyValueHeads(), "head_first");
        return new HostOp("extract_" + out, transpose.kind(), transpose.inputs(), transpose.outputs(), transpose.shape(), transpose.options());
    }

    HostOp fillCache(String key, String value) {
        TreeMap<String, Integer> shape = new TreeMap<>(Map.of("key_value_heads", model.keyValueHeads(), "head_dim", model.headDim(), "positions", positions));
        return new HostOp("kv_cache_extract", HostKind.KV_CACHE_EXTRACT, new TreeMap<>(Map.of("key", key, "value", value)), new TreeMap<>(), shape,
                new TreeMap<>());
    }

    HostOp lastRow(String in, String out) {
        return op("last_row", HostKind.LAST_ROW, Map.of("in", in), out, Map.of("n", model.hiddenSize()), Map.of());
    }

    HostOp add(String name, String a, String b, String out) {
        return op(name, HostKind.ADD, Map.of("a", a, "b", b), out, Map.of("n", model.hiddenSize()), Map.of());
    }

    HostOp siluMul(String name, String gate, String up, String out) {
        return op(name, HostKind.SILU_MUL, Map.of("gate", gate, "up", up), out, Map.of("n", model.intermediateSize()), Map.of());
    }

    HostOp norm(String name, String in, String tensor, String out) {
        return op(name, HostKind.RMS_NORM, Map.of("in", in, "weight", tensor), out, Map.of("n", model.hiddenSize()), Map.of());
    }

    HostOp finalNorm(String in, String out) {
        HostOp norm = norm("final_rms_norm", in, "model.norm.weight", out);
        TreeMap<String, Integer> oneRow = new TreeMap<>(norm.shape());
        oneRow.put("positions", 1);
        return new HostOp(norm.name(), norm.kind(), norm.inputs(), norm.outputs(), oneRow, norm.options());
    }

    HostOp argmax(List<String> parts, String out) {
        TreeMap<String, String> inputs = new TreeMap<>();
        for (String part : parts) {
            inputs.put("part_%03d".formatted(inputs.size()), part);
        }
        return new HostOp("argmax", HostKind.ARGMAX, inputs, new TreeMap<>(Map.of("out", out)), new TreeMap<>(Map.of("n", model.vocabSize())),
                new TreeMap<>());
    }

    private Map<String, Integer> heads() {
        return Map.of("heads", model.heads(), "key_value_heads", model.keyValueHeads(), "head_dim", model.headDim());
    }

    private HostOp op(String name, HostKind kind, Map<String, String> inputs, String out, Map<String, Integer> shape, Map<String, String> options) {
        TreeMap<String, Integer> extents = new TreeMap<>(shape);
        extents.put("positions", positions);
        return new HostOp(name, kind, new TreeMap<>(inputs), new TreeMap<>(Map.of("out", out)), extents, new TreeMap<>(options));
    }
}
