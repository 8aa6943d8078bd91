package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import java.util.List;

/// Makes upstream's ELFs of one phase, each from a run of a layer's operators: what a run reads and does not make is its input, what somebody else reads is read
/// back.
record UpstreamElves(ModelShape model, Block block, Phase phase, UpstreamTiles tiles, UpstreamForm form) {

    /// One without launches.
    UpstreamElf empty(String name) {
        return new UpstreamElf(name, model, phase, tiles, form);
    }

    /// @param run neighbours among the layer's operators, attention not among them
    NpuCall of(String name, List<Operator> run, BufferKey key, ElfOptions options) {
        UpstreamElf elf = empty(name);
        for (Operator operator : run) {
            operator.inputs().stream().filter(value -> !isMadeIn(run, value)).forEach(elf::input);
            if (operator instanceof Operator.Rotation rotation) {
                elf.table(rotation);
            }
        }
        run.forEach(operator -> launch(elf, operator));
        run.stream().map(Operator::output).filter(value -> isReadOutside(run, value)).forEach(elf::readBack);
        return elf.build(key, options);
    }

    private void launch(UpstreamElf elf, Operator operator) {
        switch (operator) {
            case Operator.Norm norm -> elf.norm(norm);
            case Operator.Projection projection -> elf.project(projection);
            case Operator.Bias bias -> elf.bias(bias);
            case Operator.Rotation rotation -> elf.rope(rotation, block.normsHeads());
            case Operator.GatedProduct product -> elf.siluMul(product);
            case Operator.Sum sum -> elf.add(sum);
            case Operator.Attention attention -> throw new IllegalArgumentException("%s is no part of a run".formatted(attention.name()));
        }
    }

    /// A layer reads the residual stream before it makes it anew.
    private static boolean isMadeIn(List<Operator> run, Value value) {
        return !value.equals(ModelEnds.STREAM) && run.stream().anyMatch(operator -> operator.output().equals(value));
    }

    private boolean isReadOutside(List<Operator> run, Value value) {
        return value.equals(ModelEnds.STREAM) || block.readers(value).anyMatch(reader -> !run.contains(reader));
    }
}
