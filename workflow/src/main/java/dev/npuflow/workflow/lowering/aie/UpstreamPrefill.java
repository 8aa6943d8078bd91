package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import dev.npuflow.plan.UpstreamSizes;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Extent;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.lowering.HostSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Upstream's prefill layer: three calls where dimensions are aligned, more where `o_ffn` does not fit (docs/upstream.md, "The ELFs of the other models").
///
/// | hidden size of the feed-forward | calls after attention |
/// |---|---|
/// | at most 8192, a multiple of 512 | `o_ffn` |
/// | at most 8192, else | `o_ffn_head`, `down_add`: Down must be launch 0 of its ELF |
/// | above 8192 | `o_res_norm`, `gate_up`, `swiglu`, `down_add`: `o_ffn` overflows the memtiles |
/// | above 8192 with 2048 or more at the input | the same with `gate` and `up` apart |
record UpstreamPrefill(ModelShape model, Block block, UpstreamTiles tiles, UpstreamForm form) {

    private static final ElfOptions OPTIONS = new ElfOptions(true, LoopTiling.PREFILL);

    List<Step> layer() {
        UpstreamElves elves = new UpstreamElves(model, block, Phase.PREFILL, tiles, form);
        HostSteps host = new HostSteps(model, Phase.PREFILL);
        Operator.Attention attention = block.attention();
        List<Step> steps = new ArrayList<>();
        steps.add(new UpstreamAttentionInput(block, Phase.PREFILL).call(elves, OPTIONS));
        steps.add(host.extract(attention.key(), "k_cache"));
        steps.add(host.extract(attention.value(), "v_cache"));
        steps.addAll(attend(attention, elves, host));
        steps.addAll(rest(elves));
        return steps;
    }

    /// Heads of 64 are read as they stand; wider ones are transposed on the host, there and back (docs/upstream.md, "Layout"). The cached K and V are head-first already.
    private List<Step> attend(Operator.Attention attention, UpstreamElves elves, HostSteps host) {
        String query = attention.query().name();
        String key = attention.key().name();
        String value = attention.value().name();
        String out = attention.output().name();
        if (model.headDim() % tiles.attentionKeys() != 0) {
            return List.of(host.prefillAttention(query, key, value, out, "seq_first"));
        }
        if (model.headDim() == tiles.attentionKeys()) {
            return List.of(flashAttention(elves, query, key, value, out));
        }
        String transposed = out + "_head_first";
        return List.of(host.headFirst(attention.query(), "q_head_first"), host.headFirst(attention.key(), "k_head_first"),
                host.headFirst(attention.value(), "v_packed"),
                flashAttention(elves, "q_head_first", "k_head_first", "v_packed", transposed), host.seqFirst(transposed, attention.output()));
    }

    /// Called without any index set: even its zeroed output is written on every call (docs/upstream.md, "Runtime").
    private NpuCall flashAttention(UpstreamElves elves, String q, String k, String v, String out) {
        UpstreamElf elf = elves.empty("flash_attn");
        String query = elf.input(new Value(q, Extent.QUERY));
        String key = elf.input(new Value(k, Extent.KEY_VALUE));
        String value = elf.input(new Value(v, Extent.KEY_VALUE));
        String made = elf.put(out, new Source.Activation(out), Transfer.EVERY_CALL, DataType.BF16, true, model.paddedPrefill(), model.queryDim());
        SortedMap<String, Integer> tile = tiles.attention(model.heads(), model.headDim());
        SortedMap<String, Integer> shape = new TreeMap<>(Map.of("seq_q", model.paddedPrefill(), "seq_k", model.paddedPrefill(), "heads",
                model.heads(),
                "kv_heads", model.keyValueHeads(), "head_dim", model.headDim(), "causal", 1));
        if (model.headDim() != tiles.attentionKeys()) {
            shape.put("head_first", 1);
        }
        elf.launch("flash_attn", FlashAttentionKernel.ID, shape, Map.of(),
                new Herd(tile.get("hpu") * tile.get("num_q_tiles"), tile.get("cascade")), tile,
                Map.of("query", elf.whole(query), "key", elf.whole(key), "value", elf.whole(value)), Map.of("out", elf.whole(made)));
        return elf.build(BufferKey.SHARED, new ElfOptions(false, LoopTiling.NONE));
    }

    private List<Step> rest(UpstreamElves elves) {
        List<Operator> after = block.afterAttention();
        int swiglu = index(after, Operator.GatedProduct.class);
        UpstreamSizes sizes = new UpstreamSizes(model);
        if (sizes.fusesPrefill()) {
            return sizes.alignsFeedForward() ? List.of(elf(elves, "o_ffn", after))
                    : List.of(elf(elves, "o_ffn_head", after.subList(0, swiglu + 1)), elf(elves, "down_add", after.subList(swiglu + 1, after.size())));
        }
        Operator.GatedProduct product = (Operator.GatedProduct) after.get(swiglu);
        Operator.Projection gate = block.projection(product.gate());
        Operator.Projection up = block.projection(product.up());
        int first = after.indexOf(gate);
        List<Step> steps = new ArrayList<>(List.of(elf(elves, "o_res_norm", after.subList(0, first))));
        if (sizes.pairsGateAndUp()) {
            steps.add(elf(elves, gate.name() + "_" + up.name(), after.subList(first, swiglu)));
        } else {
            steps.add(elf(elves, gate.name(), block.withBias(gate)));
            steps.add(elf(elves, up.name(), block.withBias(up)));
        }
        steps.add(elves.of(product.output().name(), List.of(product), BufferKey.SHARED, OPTIONS));
        steps.add(elf(elves, "down_add", after.subList(swiglu + 1, after.size())));
        return steps;
    }

    private static NpuCall elf(UpstreamElves elves, String name, List<Operator> run) {
        return elves.of(name, run, BufferKey.PER_LAYER, OPTIONS);
    }

    private static int index(List<Operator> operators, Class<? extends Operator> kind) {
        return operators.indexOf(operators.stream().filter(kind::isInstance).findFirst().orElseThrow());
    }
}
