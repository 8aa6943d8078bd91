package dev.npuflow.workflow.lowering;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Builds one of upstream's ELFs, launch by launch. Weights are static, what launches hand to each other is intermediate, only values of this pass
/// are written on every call (reference document §E.2). Methods return the argument that holds their result.
final class UpstreamElf {

    private static final String OUTPUT = UpstreamAttentionInput.LAYER + "self_attn.o_proj";

    private final ModelShape model;
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
        this.positions = phase == Phase.DECODE ? 1 : model.paddedPrefill();
        this.tiles = tiles;
        this.form = form;
    }

    /// A value of this pass.
    String input(String value, int width) {
        return put(value, new Source.Activation(value), Transfer.EVERY_CALL, DataType.BF16, false, dimensions(width));
    }

    /// RoPE rows: of one position, new on every call; of all positions, the same in every prefill.
    String table(String value, int heads) {
        return put(value, new Source.LookUpTable(value), positions == 1 ? Transfer.EVERY_CALL : Transfer.STATIC, DataType.BF16, false,
                dimensions(heads * model.rotaryDim()));
    }

    /// Makes a result of [#norm] and the like an output: the host reads it back under its name.
    void readBack(String argument) {
        readBack(argument, argument);
    }

    void readBack(String argument, String value) {
        Argument made = arguments.get(argument);
        arguments.put(argument, new Argument(argument, made.shape(), made.dataType(), new Source.Activation(value), made.transfer(), true));
    }

    String norm(String launch, String in, String tensor, int heads, int n, Herd herd, String out) {
        String weight = weight(launch + "_weight", tensor, 0, 1, n);
        String made = scratch(out, DataType.BF16, heads * n);
        int rows = positions * heads;
        launch(launch, "rms_norm", Map.of("rows", rows, "n", n), Map.of("epsilon", model.rmsNormEpsilon()), herd, new TreeMap<>(),
                Map.of("in", whole(in), "weight", whole(weight)), Map.of("out", whole(made)));
        return made;
    }

    String project(String projection, String in, String tensor, int k, int n, String out) {
        return positions == 1 ? gemv(projection + "_gemv", in, tensor, 0, n, k, out) : gemm(projection + "_gemm", in, tensor, k, n, out);
    }

    /// O of the attention, with its bias where the model has one. No model of upstream's has: then one launch more, as its drivers add a bias to Q, K and V.
    String output(String attention) {
        String o = project("o", attention, OUTPUT + ".weight", model.queryDim(), model.hiddenSize(), model.outputBias() ? "o_unbiased" : "o");
        return model.outputBias() ? bias("o_bias", o, OUTPUT + ".bias", model.hiddenSize(), "o") : o;
    }

    private String gemm(String launch, String in, String tensor, int k, int n, String out) {
        UpstreamTiles.Gemm choice = tiles.gemm(positions, k, n, form);
        String weight = put(launch + "_weight", new Source.Weight(tensor, 0, n), Transfer.STATIC, DataType.BF16, false, choice.paddedN(), k);
        if (choice.needsSums()) {
            scratch(out + "_f32", UpstreamTiles.Gemm.SUMS, choice.paddedN());
        }
        String made = scratch(out, DataType.BF16, choice.paddedN());
        launch(launch, choice.kernel(), Map.of("m", positions, "k", k, "n", choice.paddedN()), Map.of(), choice.herd(), choice.tile(),
                Map.of("activations", whole(in), "weight", whole(weight)), Map.of("out", whole(made)));
        if (choice.paddedN() != n) {
            unpadded.put(made, (long) positions * n);
        }
        return made;
    }

    /// Rows `firstRow` to `firstRow + m` of a weight times the vector.
    String gemv(String launch, String in, String tensor, int firstRow, int m, int k, String out) {
        UpstreamTiles.Gemv choice = tiles.gemv(m, k);
        String weight = weight(launch + "_weight", tensor, firstRow, m, k);
        String made = scratch(out, DataType.BF16, m);
        launch(launch, "gemv", Map.of("m", m, "k", k), Map.of(), choice.herd(), choice.tile(), Map.of("matrix", whole(weight), "vector", whole(in)),
                Map.of("out", whole(made)));
        return made;
    }

    /// Cores share positions, so that decode has one (§G).
    String bias(String launch, String in, String tensor, int width, String out) {
        String bias = weight(launch + "_weight", tensor, 0, 1, width);
        String made = scratch(out, DataType.BF16, width);
        launch(launch, "bias_add", Map.of("rows", positions, "n", width), Map.of(), tiles.rows(positions), new TreeMap<>(),
                Map.of("in", whole(in), "bias", whole(bias)), Map.of("out", whole(made)));
        return made;
    }

    String add(String launch, String a, String b, String out) {
        String made = scratch(out, DataType.BF16, model.hiddenSize());
        elementwise(launch, "eltwise_add", "a", a, "b", b, model.hiddenSize(), made);
        return made;
    }

    String siluMul(String launch, String gate, String up, String out) {
        String made = scratch(out, DataType.BF16, model.intermediateSize());
        elementwise(launch, "silu_mul", "gate", gate, "up", up, model.intermediateSize(), made);
        return made;
    }

    private void elementwise(String launch, String kernel, String first, String a, String second, String b, int width, String out) {
        int n = positions * width;
        Herd herd = tiles.elementwise(n);
        launch(launch, kernel, Map.of("n", n), Map.of(), herd, kernel.equals("silu_mul") ? tiles.siluMul(n, herd) : tiles.add(n, herd),
                Map.of(first, whole(a), second, whole(b)), Map.of("out", whole(out)));
    }

    String rope(String launch, String in, String table, int heads, Herd herd, String out) {
        String made = scratch(out, DataType.BF16, heads * model.headDim());
        Map<String, Integer> shape = new TreeMap<>(Map.of("rows", positions * heads, "head_dim", model.headDim()));
        if (model.rotaryDim() != model.headDim()) {
            shape.put("rotary_dim", model.rotaryDim());
        }
        launch(launch, "rope", shape, Map.of(), herd, new TreeMap<>(),
                Map.of("in", whole(in), "table", whole(table)), Map.of("out", whole(made)));
        return made;
    }

    void launch(String launch, String kernel, Map<String, Integer> shape, Map<String, Double> constants, Herd herd, SortedMap<String, Integer> tile,
            Map<String, Operand> reads, Map<String, Operand> writes) {
        SortedMap<String, Integer> extents = new TreeMap<>(shape);
        if (positions > 1) {
            extents.put("positions", positions);
        }
        String symbol = Stream.concat(Stream.of(kernel), Stream.concat(tile.values().stream(), Stream.ofNullable(shape.get("k"))).map(String::valueOf))
                .collect(Collectors.joining("_"));
        launches.add(new Launch(launch, kernel, symbol, extents, new TreeMap<>(constants), herd, tile, new TreeMap<>(reads), new TreeMap<>(writes)));
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
