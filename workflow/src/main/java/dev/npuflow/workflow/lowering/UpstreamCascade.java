package dev.npuflow.workflow.lowering;

import static dev.npuflow.workflow.lowering.UpstreamAttentionInput.LAYER;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Upstream's `o_gemv_ffn` of three launches (reference document §E.2); the arguments of its ABI that no launch touches are left out.
///
///     gemv_add          O · attention + x            → packed row 0
///     gemv_swiglu_rms   norm of row 0 by row 1, gate and up rows in turn → swiglu
///     gemv_add          Down · swiglu + packed row 0 → x_out
record UpstreamCascade(ModelShape model, UpstreamTiles tiles, UpstreamElf elf) {

    private static final int ADD_ROWS = 8;
    private static final int CASCADE = 4;
    private static final int CASCADE_ROWS = 32;
    private static final int CASCADE_CALL_ROWS = 4;

    NpuCall call(ElfOptions options) {
        int hidden = model.hiddenSize();
        int intermediate = model.intermediateSize();
        String o = elf.weight("o_weight", LAYER + "self_attn.o_proj.weight", 0, hidden, model.queryDim());
        String attention = elf.input("attention", model.queryDim());
        String x = elf.input("x", hidden);
        String packed = elf.put("residual_and_norm", new Source.Packed(List.of(new Source.Scratch(),
                new Source.Weight(LAYER + "post_attention_layernorm.weight", 0, 1)), List.of(hidden, hidden)), Transfer.STATIC, DataType.BF16, false,
                2, hidden);
        String gateUp = elf.put("gate_up_weight", new Source.InterleavedWeights(List.of(new Source.Weight(LAYER + "mlp.gate_proj.weight", 0,
                intermediate),
                new Source.Weight(LAYER + "mlp.up_proj.weight", 0, intermediate))), Transfer.STATIC, DataType.BF16, false, 2 * intermediate, hidden);
        String swiglu = elf.scratch("swiglu", DataType.BF16, intermediate);
        String down = elf.weight("down_weight", LAYER + "mlp.down_proj.weight", 0, hidden, intermediate);
        String out = elf.scratch("x_out", DataType.BF16, hidden);
        elf.readBack(out, "x");
        Operand residual = new Operand(packed, 0, hidden);
        add("o_gemv_add", model.queryDim(), o, attention, elf.whole(x), residual);
        elf.launch("gate_up_swiglu", "gemv_swiglu_rms", Map.of("m", 2 * intermediate, "k", hidden), Map.of("epsilon", model.rmsNormEpsilon()),
                new Herd(tiles.columns(), CASCADE), new TreeMap<>(Map.of("tile_m", CASCADE_ROWS, "m_input", CASCADE_CALL_ROWS)),
                Map.of("matrix", elf.whole(gateUp), "in", residual, "weight", new Operand(packed, hidden, hidden)), Map.of("out", elf.whole(swiglu)));
        add("down_gemv_add", intermediate, down, swiglu, residual, elf.whole(out));
        return elf.build(BufferKey.PER_LAYER, options);
    }

    private void add(String launch, int k, String matrix, String vector, Operand addend, Operand out) {
        elf.launch(launch, "gemv_add", Map.of("m", model.hiddenSize(), "k", k), Map.of(), new Herd(tiles.columns(), 2),
                new TreeMap<>(Map.of("tile_m", ADD_ROWS)), Map.of("matrix", elf.whole(matrix), "vector", elf.whole(vector), "addend", addend),
                Map.of("out", out));
    }
}
