package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.kernel.bias.BiasAddKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.block.Dimensions;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.block.Weight;
import dev.npuflow.workflow.lowering.TileChooser;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The NPU calls of a baseline: one launch each, every argument written on every call, the output read back. In prefill, rows
/// are token positions padded to the model's number.
final class BaselineCalls {

    private final ModelShape model;
    private final Phase phase;
    private final TileChooser tiles;
    private final Dimensions extents;

    BaselineCalls(ModelShape model, Phase phase, TileChooser tiles) {
        this.model = model;
        this.phase = phase;
        this.tiles = tiles;
        this.extents = Dimensions.of(model);
    }

    /// Each run that the weight is for is a row of its own.
    NpuCall norm(Operator.Norm norm) {
        int n = extents.of(norm.weight().columns());
        return tiled(norm.name(), RmsNormKernel.ID, padded(Map.of("rows", positions() * norm.runs(extents), "n", n)), Map.of("epsilon", model.rmsNormEpsilon()),
                ports("in", activation(norm.in()), "weight", weight(norm.name() + "_weight", norm.weight())), activation(norm.output()));
    }

    NpuCall bias(Operator.Bias bias) {
        return tiled(bias.name(), BiasAddKernel.ID, padded(Map.of("rows", positions(), "n", extents.of(bias.in()))), Map.of(),
                ports("in", activation(bias.in()), "bias", weight(bias.name() + "_weight", bias.weight())), activation(bias.output()));
    }

    /// By `gemv` in decode, by `gemm` in prefill.
    NpuCall project(Operator.Projection projection) {
        int inputs = extents.of(projection.in());
        int outputs = extents.of(projection.output());
        if (phase == Phase.DECODE) {
            return tiles.choose(gemv(projection.name() + "_gemv", projection.in().name(), projection.weight().tensor(), 0, outputs, inputs,
                    projection.output().name()));
        }
        String name = projection.name() + "_gemm";
        return tiled(name, GemmKernel.ID, padded(Map.of("m", positions(), "k", inputs, "n", outputs)), Map.of(), ports(
                "activations", activation(projection.in()), "weight", weight(name + "_weight", projection.weight())), activation(projection.output()));
    }

    /// Rows `firstRow` to `firstRow + rows` of the tensor times one vector, without herd and tile.
    NpuCall gemv(String name, String in, String tensor, int firstRow, int rows, int inputs, String out) {
        return call(name, GemvKernel.ID, Map.of("m", rows, "k", inputs), Map.of(), ports("matrix", weight(name + "_weight", tensor, firstRow, rows,
                inputs), "vector", argument(in, new Source.Activation(in), inputs)), argument(out, new Source.Activation(out), rows));
    }

    /// Its look-up rows have the operator's name.
    NpuCall rope(Operator.Rotation rotation) {
        int heads = extents.heads(rotation.in());
        Map<String, Integer> shape = new TreeMap<>(Map.of("rows", positions() * heads, "head_dim", model.headDim()));
        if (model.rotaryDim() != model.headDim()) {
            shape.put("rotary_dim", model.rotaryDim());
        }
        return tiled(rotation.name(), RopeKernel.ID, padded(shape), Map.of(), ports("in", activation(rotation.in()), "table",
                argument(rotation.name(), new Source.LookUpTable(rotation.name()), dimensions(heads * model.rotaryDim()))), activation(rotation.output()));
    }

    /// Attention of all positions, its operands heads first; empty where the kernel has no legal tile, as at head_dim 32. Upstream builds it without ping-pong
    /// and loop tiling (docs/upstream.md, "ELF building").
    Optional<NpuCall> flashAttention(String name, String query, String key, String value, String out) {
        int seq = positions();
        Map<String, Argument> inputs = ports("query", headFirst(query, model.heads()), "key", headFirst(key, model.keyValueHeads()));
        inputs.put("value", headFirst(value, model.keyValueHeads()));
        Map<String, Integer> shape = padded(Map.of("seq_q", seq, "seq_k", seq, "heads", model.heads(), "kv_heads", model.keyValueHeads(),
                "head_dim", model.headDim(), "causal", 1, "head_first", 1));
        return tiles.choose(call(name, FlashAttentionKernel.ID, shape, Map.of(), inputs, headFirst(out, model.heads())), false)
                .map(call -> call.withOptions(new ElfOptions(false, LoopTiling.NONE)));
    }

    private Argument headFirst(String value, int heads) {
        return argument(value, new Source.Activation(value), heads, positions(), model.headDim());
    }

    NpuCall add(Operator.Sum sum) {
        return tiled(sum.name(), EltwiseAddKernel.ID, padded(Map.of("n", positions() * extents.of(sum.output()))), Map.of(),
                ports("a", activation(sum.branch()), "b", activation(sum.skipped())), activation(sum.output()));
    }

    NpuCall siluMul(Operator.GatedProduct product) {
        return tiled(product.name(), SiluMulKernel.ID, padded(Map.of("n", positions() * extents.of(product.output()))), Map.of(),
                ports("gate", activation(product.gate()), "up", activation(product.up())), activation(product.output()));
    }

    private NpuCall tiled(String name, KernelId kernel, Map<String, Integer> shape, Map<String, Double> constants, Map<String, Argument> inputs,
            Argument output) {
        return tiles.choose(call(name, kernel, shape, constants, inputs, output));
    }

    private NpuCall call(String name, KernelId kernel, Map<String, Integer> shape, Map<String, Double> constants,
            Map<String, Argument> inputs, Argument output) {
        TreeMap<String, Operand> reads = new TreeMap<>();
        inputs.forEach((port, argument) -> reads.put(port, Operand.whole(argument)));
        Argument readBack = output.withReadBack(true);
        Launch launch = new Launch(name, kernel.value(), kernel.value(), new TreeMap<>(shape), new TreeMap<>(constants), new Herd(1, 1), new TreeMap<>(), reads,
                new TreeMap<>(Map.of("out", Operand.whole(readBack))));
        Map<String, Argument> arguments = new LinkedHashMap<>();
        inputs.values().forEach(argument -> arguments.put(argument.name(), argument));
        arguments.put(readBack.name(), readBack);
        return new NpuCall(name, List.of(launch), List.copyOf(arguments.values()), BufferKey.SHARED, new ElfOptions(true, loopTiling(kernel)));
    }

    private int loopTiling(KernelId kernel) {
        if (kernel.equals(FlashAttentionKernel.ID)) {
            return LoopTiling.NONE;
        }
        return phase == Phase.PREFILL && !kernel.equals(GemvKernel.ID) ? LoopTiling.PREFILL : LoopTiling.DECODE;
    }

    private int positions() {
        return phase == Phase.DECODE ? 1 : model.paddedPrefill();
    }

    private Map<String, Integer> padded(Map<String, Integer> shape) {
        Map<String, Integer> withPositions = new TreeMap<>(shape);
        if (phase == Phase.PREFILL) {
            withPositions.put("positions", model.paddedPrefill());
        }
        return withPositions;
    }

    private int[] dimensions(int width) {
        return phase == Phase.DECODE ? new int[] {width} : new int[] {model.paddedPrefill(), width};
    }

    private Argument activation(Value value) {
        return argument(value.name(), new Source.Activation(value.name()), dimensions(extents.of(value)));
    }

    private Argument weight(String name, Weight weight) {
        return weight(name, weight.tensor(), 0, extents.of(weight.rows()), extents.of(weight.columns()));
    }

    private static Argument weight(String name, String tensor, int firstRow, int rows, int columns) {
        Source source = new Source.Weight(tensor, firstRow, rows);
        return rows == 1 ? argument(name, source, columns) : argument(name, source, rows, columns);
    }

    private static Argument argument(String name, Source source, int... shape) {
        return new Argument(name, Arrays.stream(shape).boxed().toList(), DataType.BF16, source, Transfer.EVERY_CALL, false);
    }

    private static Map<String, Argument> ports(String first, Argument firstArgument, String second, Argument secondArgument) {
        Map<String, Argument> ports = new LinkedHashMap<>();
        ports.put(first, firstArgument);
        ports.put(second, secondArgument);
        return ports;
    }
}
