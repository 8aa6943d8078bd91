package dev.npuflow.workflow.lowering;

import static dev.npuflow.workflow.lowering.UpstreamAttentionInput.LAYER;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import java.util.ArrayList;
import java.util.List;

/// Upstream's decode layer: two calls where the cascade of `o_gemv_ffn` is legal, else each projection alone with the rest on the host (reference
/// document §E.4).
record UpstreamDecode(ModelShape model, UpstreamTiles tiles, UpstreamForm form) {

    private static final int CASCADE_LIMIT = 2560;
    private static final int ALIGNED = 512;
    /// Of the shared decode presets.
    private static final int TILING = 16;

    boolean cascades() {
        return model.hiddenSize() < CASCADE_LIMIT && model.intermediateSize() % ALIGNED == 0 && model.queryDim() % ALIGNED == 0;
    }

    /// The three launches add O's product to the residual at once: a bias in between has no place there.
    private boolean threeLaunch() {
        return !form.eightLaunch() && !model.outputBias();
    }

    List<Step> layer() {
        HostSteps host = new HostSteps(model, Phase.DECODE);
        List<Step> steps = new ArrayList<>();
        steps.add(new UpstreamAttentionInput(model, Phase.DECODE, tiles, form).call(fusedOptions(true)));
        steps.add(host.decodeAttention("q_roped", "k_roped", "v", "attention"));
        steps.addAll(cascades() ? List.of(threeLaunch() ? threeLaunches() : eightLaunches()) : apart(host));
        return steps;
    }

    /// Qwen3's drivers pass neither runtime loop tiling nor `omit_pingpong` (hardware facts §10).
    ElfOptions fusedOptions(boolean pingPong) {
        return model.queryKeyNorm() ? new ElfOptions(true, 1) : new ElfOptions(pingPong, TILING);
    }

    private NpuCall threeLaunches() {
        return new UpstreamCascade(model, tiles, elf("o_gemv_ffn")).call(fusedOptions(false));
    }

    private NpuCall eightLaunches() {
        UpstreamElf elf = elf("o_gemv_ffn");
        String attention = elf.input("attention", model.queryDim());
        String x = elf.input("x", model.hiddenSize());
        String o = elf.output(attention);
        String residual = elf.add("add_attention", o, x, "residual");
        String normed = elf.norm("rms_norm_ffn", residual, LAYER + "post_attention_layernorm.weight", 1, model.hiddenSize(), new Herd(1, 1),
                "normed_ffn");
        String gate = elf.project("gate", normed, LAYER + "mlp.gate_proj.weight", model.hiddenSize(), model.intermediateSize(), "gate");
        String up = elf.project("up", normed, LAYER + "mlp.up_proj.weight", model.hiddenSize(), model.intermediateSize(), "up");
        String swiglu = elf.siluMul("silu_mul", gate, up, "swiglu");
        String down = elf.project("down", swiglu, LAYER + "mlp.down_proj.weight", model.intermediateSize(), model.hiddenSize(), "down");
        elf.readBack(elf.add("add_ffn", down, residual, "x_out"), "x");
        return elf.build(BufferKey.PER_LAYER, fusedOptions(false));
    }

    private List<Step> apart(HostSteps host) {
        int hidden = model.hiddenSize();
        int intermediate = model.intermediateSize();
        return List.of(
                output(),
                host.add("add_attention", "o", "x", "residual"),
                host.norm("rms_norm_ffn", "residual", LAYER + "post_attention_layernorm.weight", "normed_ffn"),
                alone("gate", "normed_ffn", LAYER + "mlp.gate_proj.weight", hidden, intermediate),
                alone("up", "normed_ffn", LAYER + "mlp.up_proj.weight", hidden, intermediate),
                host.siluMul("silu_mul", "gate", "up", "swiglu"),
                alone("down", "swiglu", LAYER + "mlp.down_proj.weight", intermediate, hidden),
                host.add("add_ffn", "down", "residual", "x"));
    }

    private NpuCall output() {
        UpstreamElf elf = elf("o_gemv");
        elf.readBack(elf.output(elf.input("attention", model.queryDim())));
        return elf.build(BufferKey.PER_LAYER, new ElfOptions(tiles.gemv(model.hiddenSize(), model.queryDim()).fitsPingPong(), TILING));
    }

    private NpuCall alone(String projection, String in, String tensor, int k, int m) {
        UpstreamElf elf = elf(projection + "_gemv");
        elf.readBack(elf.gemv(projection + "_gemv", elf.input(in, k), tensor, 0, m, k, projection));
        return elf.build(BufferKey.PER_LAYER, new ElfOptions(tiles.gemv(m, k).fitsPingPong(), TILING));
    }

    private UpstreamElf elf(String name) {
        return new UpstreamElf(name, model, Phase.DECODE, tiles, form);
    }

}
