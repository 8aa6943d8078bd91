package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.bias.BiasAddKernel;
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
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.block.Weight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Builds one of upstream's ELFs, launch by launch. Weights are static, what launches hand to each other is intermediate, only values of this pass
/// are written on every call (docs/upstream.md, "The ELFs of llama32_1b").
final class UpstreamElf {

    private final ModelShape model;
    private final Dimensions extents;
    private final int positions;
    private final UpstreamTiles tiles;
    private final String name;
    private final UpstreamForm form;
    private final List<Launch> launches = new ArrayList<>();
    private final SequencedMap<String, Argument> arguments = new LinkedHashMap<>();
    /// Of results that a padded GEMM makes: the elements that mean something.
    private final Map<String, Long> unpadded = new TreeMap<>();

    UpstreamElf(String name, ModelShape model, Phase phase, UpstreamTiles tiles, UpstreamForm form) {
        this.name = name;
        this.model = model;
        this.extents = Dimensions.of(model);
        this.positions = phase == Phase.DECODE ? 1 : model.paddedPrefill();
        this.tiles = tiles;
        this.form = form;
    }

    /// A value of this pass.
    String input(Value value) {
        return put(value.name(), new Source.Activation(value.name()), Transfer.EVERY_CALL, DataType.BF16, false, dimensions(extents.of(value)));
    }

    /// RoPE rows: of one position, new on every call; of all positions, the same in every prefill.
    void table(Operator.Rotation rotation) {
        put(rotation.name(), new Source.LookUpTable(rotation.name()), positions == 1 ? Transfer.EVERY_CALL : Transfer.STATIC, DataType.BF16, false,
                dimensions(extents.heads(rotation.in()) * model.rotaryDim()));
    }

    /// Makes a result of [#norm] and the like an output: the host reads it back under its name.
    void readBack(Value value) {
        readBack(made(value), value.name());
    }

    void readBack(String argument, String value) {
        Argument made = arguments.get(argument);
        arguments.put(argument, new Argument(argument, made.shape(), made.dataType(), new Source.Activation(value), made.transfer(), true));
    }

    void norm(Operator.Norm norm) {
        Operand weight = weight(norm.name(), norm.weight());
        Operand made = scratch(norm.output());
        int rows = positions * norm.runs(extents);
        launch(norm.name(), RmsNormKernel.ID, Map.of("rows", rows, "n", extents.of(norm.weight().columns())), Map.of("epsilon", model.rmsNormEpsilon()),
                tiles.rows(rows), new TreeMap<>(), Map.of("in", whole(norm.in()), "weight", weight), Map.of("out", made));
    }

    void project(Operator.Projection projection) {
        if (positions > 1) {
            gemm(projection);
        } else {
            gemv(projection.name() + "_gemv", projection.in(), projection.weight().tensor(), 0, extents.of(projection.output()),
                    scratchOf(projection.output()));
        }
    }

    private void gemm(Operator.Projection projection) {
        int k = extents.of(projection.in());
        int n = extents.of(projection.output());
        UpstreamTiles.Gemm choice = tiles.gemm(positions, k, n, form);
        String launch = projection.name() + "_gemm";
        String out = projection.output().name();
        String weight = put(launch + "_weight", new Source.Weight(projection.weight().tensor(), 0, n), Transfer.STATIC, DataType.BF16, false,
                choice.paddedN(), k);
        if (choice.needsSums()) {
            scratch(out + "_f32", UpstreamTiles.Gemm.SUMS, choice.paddedN());
        }
        String made = scratch(out, DataType.BF16, choice.paddedN());
        launch(launch, choice.kernel(), Map.of("m", positions, "k", k, "n", choice.paddedN()), Map.of(), choice.herd(), choice.tile(),
                Map.of("activations", whole(projection.in()), "weight", whole(weight)), Map.of("out", whole(made)));
        if (choice.paddedN() != n) {
            unpadded.put(made, (long) positions * n);
        }
    }

    /// Rows `firstRow` to `firstRow + m` of a weight times the vector.
    ///
    /// @param made makes the argument of the result, which stands behind the weight's
    String gemv(String launch, Value in, String tensor, int firstRow, int m, Supplier<String> made) {
        int k = extents.of(in);
        UpstreamTiles.Gemv choice = tiles.gemv(m, k);
        String weight = weight(launch + "_weight", tensor, firstRow, m, k);
        String out = made.get();
        launch(launch, GemvKernel.ID, Map.of("m", m, "k", k), Map.of(), choice.herd(), choice.tile(), Map.of("matrix", whole(weight), "vector", whole(in)),
                Map.of("out", whole(out)));
        return out;
    }

    /// Cores share positions, so that decode has one (docs/upstream.md, "Placement").
    void bias(Operator.Bias bias) {
        Operand weight = weight(bias.name(), bias.weight());
        Operand made = scratch(bias.output());
        launch(bias.name(), BiasAddKernel.ID, Map.of("rows", positions, "n", extents.of(bias.in())), Map.of(), tiles.rows(positions), new TreeMap<>(),
                Map.of("in", whole(bias.in()), "bias", weight), Map.of("out", made));
    }

    void add(Operator.Sum sum) {
        int n = positions * extents.of(sum.output());
        Herd herd = tiles.elementwise(n);
        launch(sum.name(), EltwiseAddKernel.ID, Map.of("n", n), Map.of(), herd, tiles.add(n, herd),
                Map.of("a", whole(sum.branch()), "b", whole(sum.skipped())), Map.of("out", scratch(sum.output())));
    }

    void siluMul(Operator.GatedProduct product) {
        int n = positions * extents.of(product.output());
        Herd herd = tiles.elementwise(n);
        launch(product.name(), SiluMulKernel.ID, Map.of("n", n), Map.of(), herd, tiles.siluMul(n, herd),
                Map.of("gate", whole(product.gate()), "up", whole(product.up())), Map.of("out", scratch(product.output())));
    }

    /// @param shared whether cores share the heads of a position, as they do in the ELF of a model whose heads are normed
    void rope(Operator.Rotation rotation, boolean shared) {
        int rows = positions * extents.heads(rotation.in());
        Operand made = scratch(rotation.output());
        Map<String, Integer> shape = new TreeMap<>(Map.of("rows", rows, "head_dim", model.headDim()));
        if (model.rotaryDim() != model.headDim()) {
            shape.put("rotary_dim", model.rotaryDim());
        }
        launch(rotation.name(), RopeKernel.ID, shape, Map.of(), positions > 1 || shared ? tiles.rows(rows) : new Herd(1, 1), new TreeMap<>(),
                Map.of("in", whole(rotation.in()), "table", whole(rotation.name())), Map.of("out", made));
    }

    void launch(String launch, KernelId kernel, Map<String, Integer> shape, Map<String, Double> constants, Herd herd, SortedMap<String, Integer> tile,
            Map<String, Operand> reads, Map<String, Operand> writes) {
        SortedMap<String, Integer> extents = new TreeMap<>(shape);
        if (positions > 1) {
            extents.put("positions", positions);
        }
        String symbol = Stream.concat(Stream.of(kernel.value()), Stream.concat(tile.values().stream(), Stream.ofNullable(shape.get("k"))).map(String::valueOf))
                .collect(Collectors.joining("_"));
        launches.add(new Launch(launch, kernel.value(), symbol, extents, new TreeMap<>(constants), herd, tile, new TreeMap<>(reads), new TreeMap<>(writes)));
    }

    String weight(String argument, String tensor, int firstRow, int rows, int columns) {
        return put(argument, new Source.Weight(tensor, firstRow, rows), Transfer.STATIC, DataType.BF16, false,
                rows == 1 ? new int[] {columns} : new int[] {rows, columns});
    }

    String scratch(String argument, DataType type, int width) {
        return put(argument, new Source.Scratch(), Transfer.INTERMEDIATE, type, false, dimensions(width));
    }

    String put(String argument, Source source, Transfer transfer, DataType type, boolean readBack, int... shape) {
        arguments.put(argument, new Argument(argument, Arrays.stream(shape).boxed().toList(), type, source, transfer, readBack));
        return argument;
    }

    private Operand weight(String launch, Weight weight) {
        return whole(weight(launch + "_weight", weight.tensor(), 0, extents.of(weight.rows()), extents.of(weight.columns())));
    }

    /// The residual stream is an input under its own name, so what the layer makes of it has another.
    private static String made(Value value) {
        return value.equals(ModelEnds.STREAM) ? value.name() + "_out" : value.name();
    }

    private Operand scratch(Value value) {
        return whole(scratchOf(value).get());
    }

    Supplier<String> scratchOf(Value value) {
        return () -> scratch(made(value), DataType.BF16, extents.of(value));
    }

    Operand whole(Value value) {
        return whole(value.name());
    }

    Operand whole(String argument) {
        Operand whole = Operand.whole(arguments.get(argument));
        return new Operand(argument, 0, unpadded.getOrDefault(argument, whole.elements()));
    }

    NpuCall build(BufferKey key, ElfOptions options) {
        return new NpuCall(name, launches, List.copyOf(arguments.values()), key, options);
    }

    private int[] dimensions(int width) {
        return positions == 1 ? new int[] {width} : new int[] {positions, width};
    }
}
