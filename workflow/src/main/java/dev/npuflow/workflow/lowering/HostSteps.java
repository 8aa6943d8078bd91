package dev.npuflow.workflow.lowering;

import static dev.npuflow.workflow.block.ModelEnds.STREAM;
import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Dimensions;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The host operations that plans are made of; parameters, extents and options as [HostKind] says.
public final class HostSteps {

    private final ModelShape model;
    private final int positions;
    private final Dimensions extents;

    public HostSteps(ModelShape model, Phase phase) {
        this.model = model;
        this.extents = Dimensions.of(model);
        this.positions = phase == Phase.DECODE ? 1 : model.paddedPrefill();
    }

    public HostOp embed() {
        return op("embed", HostKind.EMBED, Map.of("ids", positions == 1 ? "token" : "prompt", "table", ModelEnds.EMBEDDING.tensor()), STREAM.name(),
                Map.of("n", extents.of(STREAM)), Map.of());
    }

    /// The look-up rows of every rotation of a layer, under the rotation's name.
    public List<HostOp> ropeTables(Block block) {
        return block.operators().stream().filter(Operator.Rotation.class::isInstance).map(rotation -> op(rotation.name() + "_table", HostKind.ROPE_TABLE,
                Map.of(), rotation.name(), Map.of("rows", extents.heads(rotation.output()), "rotary_dim", model.rotaryDim()), Map.of())).toList();
    }

    public HostOp decodeAttention(Operator.Attention attention) {
        return op("decode_attention", HostKind.DECODE_ATTENTION, Map.of("query", attention.query().name(), "key", attention.key().name(), "value",
                attention.value().name()), attention.output().name(), heads(), Map.of());
    }

    public HostOp prefillAttention(String query, String key, String value, String out, String layout) {
        return op("prefill_attention", HostKind.PREFILL_ATTENTION, Map.of("query", query, "key", key, "value", value), out, heads(),
                Map.of("layout", layout));
    }

    public HostOp headFirst(Value in, String out) {
        return transpose(in.name(), out, extents.heads(in), "head_first");
    }

    public HostOp seqFirst(String in, Value out) {
        return transpose(in, out.name(), extents.heads(out), "seq_first");
    }

    private HostOp transpose(String in, String out, int heads, String layout) {
        return op("transpose_" + in, HostKind.TRANSPOSE, Map.of("in", in), out, Map.of("heads", heads, "head_dim", model.headDim()),
                Map.of("to", layout));
    }

    /// Keys or values of all positions, in the KV cache's layout.
    public HostOp extract(Value in, String out) {
        HostOp transpose = headFirst(in, out);
        return new HostOp("extract_" + out, transpose.kind(), transpose.inputs(), transpose.outputs(), transpose.shape(), transpose.options());
    }

    public HostOp fillCache(Operator.Attention attention) {
        TreeMap<String, Integer> shape = new TreeMap<>(Map.of("key_value_heads", model.keyValueHeads(), "head_dim", model.headDim(), "positions", positions));
        return new HostOp("kv_cache_extract", HostKind.KV_CACHE_EXTRACT, new TreeMap<>(Map.of("key", attention.key().name(), "value", attention.value().name())),
                new TreeMap<>(), shape, new TreeMap<>());
    }

    public HostOp lastRow(String out) {
        return op("last_row", HostKind.LAST_ROW, Map.of("in", STREAM.name()), out, Map.of("n", extents.of(STREAM)), Map.of());
    }

    public HostOp add(Operator.Sum sum) {
        return op(sum.name(), HostKind.ADD, Map.of("a", sum.branch().name(), "b", sum.skipped().name()), sum.output().name(),
                Map.of("n", extents.of(sum.output())), Map.of());
    }

    public HostOp siluMul(Operator.GatedProduct product) {
        return op(product.name(), HostKind.SILU_MUL, Map.of("gate", product.gate().name(), "up", product.up().name()), product.output().name(),
                Map.of("n", extents.of(product.output())), Map.of());
    }

    public HostOp norm(Operator.Norm norm) {
        return norm(norm, norm.in().name());
    }

    private HostOp norm(Operator.Norm norm, String in) {
        return op(norm.name(), HostKind.RMS_NORM, Map.of("in", in, "weight", norm.weight().tensor()), norm.output().name(),
                Map.of("n", extents.of(norm.output())), Map.of());
    }

    public HostOp finalNorm(String in) {
        HostOp norm = norm(ModelEnds.FINAL_NORM, in);
        TreeMap<String, Integer> oneRow = new TreeMap<>(norm.shape());
        oneRow.put("positions", 1);
        return new HostOp(norm.name(), norm.kind(), norm.inputs(), norm.outputs(), oneRow, norm.options());
    }

    public HostOp argmax(List<String> parts, String out) {
        TreeMap<String, String> inputs = new TreeMap<>();
        for (String part : parts) {
            inputs.put(format(ROOT, "part_%03d", inputs.size()), part);
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
