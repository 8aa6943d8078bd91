package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.UpstreamSizes;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Dimensions;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.lowering.HostSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Upstream's decode layer: two calls where the cascade of `o_gemv_ffn` is legal, else each projection alone with the rest on the host (docs/upstream.md,
/// "The ELFs of the other models").
record UpstreamDecode(ModelShape model, Block block, UpstreamTiles tiles, UpstreamForm form) {

    boolean cascades() {
        return new UpstreamSizes(model).fusesDecode();
    }

    List<Step> layer() {
        UpstreamElves elves = new UpstreamElves(model, block, Phase.DECODE, tiles, form);
        HostSteps host = new HostSteps(model, Phase.DECODE);
        List<Step> steps = new ArrayList<>();
        steps.add(new UpstreamAttentionInput(block, Phase.DECODE).call(elves, fusedOptions(true)));
        steps.add(host.decodeAttention(block.attention()));
        steps.addAll(cascades() ? List.of(fused(elves)) : apart(elves, host));
        return steps;
    }

    /// Qwen3's drivers pass neither runtime loop tiling nor `omit_pingpong` (docs/upstream.md, "The ELFs of the other models").
    ElfOptions fusedOptions(boolean pingPong) {
        return block.normsHeads() ? new ElfOptions(true, LoopTiling.NONE) : new ElfOptions(pingPong, LoopTiling.DECODE);
    }

    /// Three launches, or one for each operator: in upstream's older form, and where the three do not compute what the layer does.
    private Step fused(UpstreamElves elves) {
        String name = "o_gemv_ffn";
        Optional<UpstreamCascade> cascade = UpstreamCascade.of(block).filter(_ -> !form.eightLaunch());
        return cascade.isPresent() ? cascade.get().call(model, tiles, elves.empty(name), fusedOptions(false))
                : elves.of(name, block.afterAttention(), BufferKey.PER_LAYER, fusedOptions(false));
    }

    private List<Step> apart(UpstreamElves elves, HostSteps host) {
        List<Step> steps = new ArrayList<>();
        for (Operator operator : block.afterAttention()) {
            switch (operator) {
                case Operator.Projection projection -> steps.add(alone(elves, projection));
                case Operator.Bias _ -> { }
                case Operator.Norm norm -> steps.add(host.norm(norm));
                case Operator.Sum sum -> steps.add(host.add(sum));
                case Operator.GatedProduct product -> steps.add(host.siluMul(product));
                case Operator.Rotation _, Operator.Attention _ -> throw new IllegalArgumentException("%s behind attention".formatted(operator.name()));
            }
        }
        return steps;
    }

    /// A projection, with its bias if it has one.
    private Step alone(UpstreamElves elves, Operator.Projection projection) {
        Dimensions extents = Dimensions.of(model);
        boolean fits = tiles.gemv(extents.of(projection.output()), extents.of(projection.in())).fitsPingPong();
        return elves.of(projection.name() + "_gemv", block.withBias(projection), BufferKey.PER_LAYER, new ElfOptions(fits, LoopTiling.DECODE));
    }
}
