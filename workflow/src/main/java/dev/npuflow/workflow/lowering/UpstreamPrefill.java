package dev.npuflow.workflow.lowering;

import static dev.npuflow.workflow.lowering.UpstreamAttentionInput.LAYER;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Upstream's prefill layer: three calls where dimensions are aligned, more where `o_ffn` does not fit (reference document §E.4).
///
/// | hidden size of the feed-forward | calls after attention |
/// |---|---|
/// | at most 8192, a multiple of 512 | `o_ffn` |
/// | at most 8192, else | `o_ffn_head`, `down_add`: Down must be launch 0 of its ELF |
/// | above 8192 | `o_res_norm`, `gate_up`, `swiglu`, `down_add`: `o_ffn` overflows the memtiles |
/// | above 8192 with 2048 or more at the input | the same with `gate` and `up` apart |
record UpstreamPrefill(ModelShape model, UpstreamTiles tiles, UpstreamForm form) {

    private static final int ALIGNED = 512;
    private static final int LARGEST_FUSED = 8192;
    private static final int LARGEST_PAIR = 2048;
    /// FlashAttention needs tiles of 64 keys (§I.5).
    private static final int HEAD_STEP = 64;
    private static final ElfOptions OPTIONS = new ElfOptions(true, 2);

    List<Step> layer() {
        HostSteps host = new HostSteps(model, Phase.PREFILL);
        List<Step> steps = new ArrayList<>();
        steps.add(new UpstreamAttentionInput(model, Phase.PREFILL, tiles, form).call(OPTIONS));
        steps.add(host.extract("k_roped", "k_cache"));
        steps.add(host.extract("v", "v_cache"));
        steps.addAll(attention(host));
        steps.addAll(rest());
        return steps;
    }

    /// Heads of 64 are read as they stand; wider ones are transposed on the host, there and back (§F). The cached K and V are head-first already.
    private List<Step> attention(HostSteps host) {
        if (model.headDim() % HEAD_STEP != 0) {
            return List.of(host.prefillAttention("q_roped", "k_roped", "v", "attention", "seq_first"));
        }
        if (model.headDim() == HEAD_STEP) {
            return List.of(flashAttention("q_roped", "k_roped", "v", "attention"));
        }
        return List.of(host.transpose("q_roped", "q_head_first", model.heads(), "head_first"),
                host.transpose("k_roped", "k_head_first", model.keyValueHeads(), "head_first"),
                host.transpose("v", "v_packed", model.keyValueHeads(), "head_first"),
                flashAttention("q_head_first", "k_head_first", "v_packed", "attention_head_first"),
                host.transpose("attention_head_first", "attention", model.heads(), "seq_first"));
    }

    /// Called without any index set: even its zeroed output is written on every call (§D.3).
    private NpuCall flashAttention(String q, String k, String v, String out) {
        UpstreamElf elf = new UpstreamElf("flash_attn", model, Phase.PREFILL, tiles, form);
        String query = elf.input(q, model.queryDim());
        String key = elf.input(k, model.keyValueDim());
        String value = elf.input(v, model.keyValueDim());
        String made = elf.put(out, new Source.Activation(out), Transfer.EVERY_CALL, DataType.BF16, true, model.paddedPrefill(), model.queryDim());
        SortedMap<String, Integer> tile = tiles.attention(model.heads(), model.headDim());
        SortedMap<String, Integer> shape = new TreeMap<>(Map.of("seq_q", model.paddedPrefill(), "seq_k", model.paddedPrefill(), "heads",
                model.heads(),
                "kv_heads", model.keyValueHeads(), "head_dim", model.headDim(), "causal", 1));
        if (model.headDim() != HEAD_STEP) {
            shape.put("head_first", 1);
        }
        elf.launch("flash_attn", "flash_attention", shape, Map.of(),
                new Herd(tile.get("hpu") * tile.get("num_q_tiles"), tile.get("cascade")), tile,
                Map.of("query", elf.whole(query), "key", elf.whole(key), "value", elf.whole(value)), Map.of("out", elf.whole(made)));
        return elf.build(BufferKey.SHARED, new ElfOptions(false, 1));
    }

    private List<Step> rest() {
        if (model.intermediateSize() > LARGEST_FUSED) {
            List<Step> steps = new ArrayList<>();
            UpstreamElf head = elf("o_res_norm");
            readBack(head, attentionOutput(head));
            steps.add(head.build(BufferKey.PER_LAYER, OPTIONS));
            steps.addAll(model.hiddenSize() < LARGEST_PAIR ? List.of(projections("gate_up", "gate", "up"))
                    : List.of(projections("gate", "gate"), projections("up", "up")));
            UpstreamElf swiglu = elf("swiglu");
            swiglu.readBack(swiglu.siluMul("silu_mul", swiglu.input("gate", model.intermediateSize()), swiglu.input("up", model.intermediateSize()),
                    "swiglu"));
            steps.add(swiglu.build(BufferKey.SHARED, OPTIONS));
            steps.add(downAdd());
            return steps;
        }
        boolean whole = model.intermediateSize() % ALIGNED == 0;
        UpstreamElf elf = elf(whole ? "o_ffn" : "o_ffn_head");
        OutputAndNorm before = attentionOutput(elf);
        String swiglu = elf.siluMul("silu_mul", gate(elf, before.normed), up(elf, before.normed), "swiglu");
        if (whole) {
            elf.readBack(down(elf, swiglu, before.residual), "x");
            return List.of(elf.build(BufferKey.PER_LAYER, OPTIONS));
        }
        List.of(before.residual, swiglu).forEach(elf::readBack);
        return List.of(elf.build(BufferKey.PER_LAYER, OPTIONS), downAdd());
    }

    private UpstreamElf elf(String name) {
        return new UpstreamElf(name, model, Phase.PREFILL, tiles, form);
    }

    private record OutputAndNorm(String residual, String normed) {}

    private static void readBack(UpstreamElf elf, OutputAndNorm made) {
        elf.readBack(made.residual);
        elf.readBack(made.normed);
    }

    private OutputAndNorm attentionOutput(UpstreamElf elf) {
        String attention = elf.input("attention", model.queryDim());
        String x = elf.input("x", model.hiddenSize());
        String o = elf.output(attention);
        String residual = elf.add("add_attention", o, x, "residual");
        return new OutputAndNorm(residual, elf.norm("rms_norm_ffn", residual, LAYER + "post_attention_layernorm.weight", 1, model.hiddenSize(),
                tiles.rows(model.paddedPrefill()), "normed_ffn"));
    }

    private String gate(UpstreamElf elf, String normed) {
        return elf.project("gate", normed, LAYER + "mlp.gate_proj.weight", model.hiddenSize(), model.intermediateSize(), "gate");
    }

    private String up(UpstreamElf elf, String normed) {
        return elf.project("up", normed, LAYER + "mlp.up_proj.weight", model.hiddenSize(), model.intermediateSize(), "up");
    }

    private String down(UpstreamElf elf, String swiglu, String residual) {
        String down = elf.project("down", swiglu, LAYER + "mlp.down_proj.weight", model.intermediateSize(), model.hiddenSize(), "down");
        return elf.add("add_ffn", down, residual, "x_out");
    }

    private NpuCall projections(String name, String... outputs) {
        UpstreamElf elf = elf(name);
        String normed = elf.input("normed_ffn", model.hiddenSize());
        for (String output : outputs) {
            elf.readBack(output.equals("gate") ? gate(elf, normed) : up(elf, normed));
        }
        return elf.build(BufferKey.PER_LAYER, OPTIONS);
    }

    private NpuCall downAdd() {
        UpstreamElf elf = elf("down_add");
        elf.readBack(down(elf, elf.input("swiglu", model.intermediateSize()), elf.input("residual", model.hiddenSize())), "x");
        return elf.build(BufferKey.PER_LAYER, OPTIONS);
    }
}
