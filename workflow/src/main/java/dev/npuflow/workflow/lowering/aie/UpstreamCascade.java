package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.kernel.gemvadd.GemvAddKernel;
import dev.npuflow.npu.kernel.swiglu.GemvSwigluRmsKernel;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Operator.GatedProduct;
import dev.npuflow.workflow.block.Operator.Norm;
import dev.npuflow.workflow.block.Operator.Projection;
import dev.npuflow.workflow.block.Operator.Sum;
import dev.npuflow.workflow.block.Weight;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Upstream's `o_gemv_ffn` of three launches (docs/upstream.md, "The ELFs of llama32_1b"); the arguments of its ABI that no launch touches are left out.
///
///     gemv_add          O · attention + x            → packed row 0
///     gemv_swiglu_rms   norm of row 0 by row 1, gate and up rows in turn → swiglu
///     gemv_add          Down · swiglu + packed row 0 → x_out
record UpstreamCascade(Projection o, Sum residual, Norm norm, Projection gate, Projection up, GatedProduct swiglu, Projection down, Sum out) {

    /// What follows attention, if it is just what the three launches compute: a bias or a norm in between has no place there.
    static Optional<UpstreamCascade> of(Block block) {
        List<Operator> after = block.afterAttention();
        if (after.size() == 8 && after.get(0) instanceof Projection o && after.get(1) instanceof Sum residual && after.get(2) instanceof Norm norm
                && after.get(3) instanceof Projection gate && after.get(4) instanceof Projection up && after.get(5) instanceof GatedProduct swiglu
                && after.get(6) instanceof Projection down && after.get(7) instanceof Sum out) {
            UpstreamCascade cascade = new UpstreamCascade(o, residual, norm, gate, up, swiglu, down, out);
            return cascade.isConnected() ? Optional.of(cascade) : Optional.empty();
        }
        return Optional.empty();
    }

    private boolean isConnected() {
        return residual.branch().equals(o.output()) && norm.in().equals(residual.output()) && gate.in().equals(norm.output()) && up.in().equals(norm.output())
                && swiglu.gate().equals(gate.output()) && swiglu.up().equals(up.output()) && down.in().equals(swiglu.output())
                && out.branch().equals(down.output()) && out.skipped().equals(residual.output());
    }

    NpuCall call(ModelShape model, UpstreamTiles tiles, UpstreamElf elf, ElfOptions options) {
        int hidden = model.hiddenSize();
        int intermediate = model.intermediateSize();
        String oWeight = elf.weight("o_weight", o.weight().tensor(), 0, hidden, model.queryDim());
        String attention = elf.input(o.in());
        String x = elf.input(residual.skipped());
        String packed = elf.put("residual_and_norm", new Source.Packed(List.of(new Source.Scratch(), whole(norm.weight(), 1)), List.of(hidden, hidden)),
                Transfer.STATIC, DataType.BF16, false, 2, hidden);
        String gateUp = elf.put("gate_up_weight", new Source.InterleavedWeights(List.of(whole(gate.weight(), intermediate), whole(up.weight(), intermediate))),
                Transfer.STATIC, DataType.BF16, false, 2 * intermediate, hidden);
        String product = elf.scratch(swiglu.output().name(), DataType.BF16, intermediate);
        String downWeight = elf.weight("down_weight", down.weight().tensor(), 0, hidden, intermediate);
        String made = elf.scratchOf(out.output()).get();
        elf.readBack(out.output());
        Operand rowZero = new Operand(packed, 0, hidden);
        Adder adder = new Adder(elf, tiles, hidden);
        adder.launch("o_gemv_add", model.queryDim(), oWeight, attention, elf.whole(x), rowZero);
        elf.launch("gate_up_swiglu", GemvSwigluRmsKernel.ID, Map.of("m", 2 * intermediate, "k", hidden), Map.of("epsilon", model.rmsNormEpsilon()),
                tiles.swiglu(), tiles.swigluTile(),
                Map.of("matrix", elf.whole(gateUp), "in", rowZero, "weight", new Operand(packed, hidden, hidden)), Map.of("out", elf.whole(product)));
        adder.launch("down_gemv_add", intermediate, downWeight, product, rowZero, elf.whole(made));
        return elf.build(BufferKey.PER_LAYER, options);
    }

    private static Source.Weight whole(Weight weight, int rows) {
        return new Source.Weight(weight.tensor(), 0, rows);
    }

    private record Adder(UpstreamElf elf, UpstreamTiles tiles, int rows) {

        void launch(String name, int k, String matrix, String vector, Operand addend, Operand out) {
            elf.launch(name, GemvAddKernel.ID, Map.of("m", rows, "k", k), Map.of(), tiles.gemvAdd(), tiles.gemvAddTile(),
                    Map.of("matrix", elf.whole(matrix), "vector", elf.whole(vector), "addend", addend), Map.of("out", out));
        }
    }
}
