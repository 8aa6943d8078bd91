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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The NPU calls of a baseline: one launch each, every argument written on every call, the output read back. In prefill, rows
/// are token positions padded to the model's number.
final class BaselineCalls {

    /// Runtime loop tilings of upstream's ELFs (reference document §E.1); its LM head is a decode ELF in prefill too.
    private static final int DECODE_LOOP_TILING = 16;
    private static final int PREFILL_LOOP_TILING = 2;
    private static final int ATTENTION_LOOP_TILING = 1;

    private final ModelShape model;
    private final Phase phase;
    private final TileChooser tiles;

    BaselineCalls(ModelShape model, Phase phase, TileChooser tiles) {
        this.model = model;
        this.phase = phase;
        this.tiles = tiles;
    }

    NpuCall norm(String name, String in, String tensor, String out) {
        return norm(name, in, tensor, 1, model.hiddenSize(), out);
    }

    /// Each head of a position is a row of its own; all have the same weight.
    NpuCall headNorm(String name, String in, String tensor, int heads, String out) {
        return norm(name, in, tensor, heads, model.headDim(), out);
    }

    private NpuCall norm(String name, String in, String tensor, int heads, int n, String out) {
        return tiled(name, "rms_norm", padded(Map.of("rows", positions() * heads, "n", n)), Map.of("epsilon", model.rmsNormEpsilon()),
                ports("in", activation(in, heads * n), "weight", weight(name + "_weight", tensor, 0, 1, n)), activation(out, heads * n));
    }

    NpuCall bias(String name, String in, String tensor, int n, String out) {
        return tiled(name, "bias_add", padded(Map.of("rows", positions(), "n", n)), Map.of(),
                ports("in", activation(in, n), "bias", weight(name + "_weight", tensor, 0, 1, n)), activation(out, n));
    }

    /// `out` = weight · `in`, by `gemv` in decode, by `gemm` in prefill; the tensor is (`outputs`, `inputs`).
    NpuCall project(String projection, String in, String tensor, int inputs, int outputs, String out) {
        if (phase == Phase.DECODE) {
            return tiles.choose(gemv(projection + "_gemv", in, tensor, 0, outputs, inputs, out));
        }
        String name = projection + "_gemm";
        return tiled(name, "gemm", padded(Map.of("m", positions(), "k", inputs, "n", outputs)), Map.of(), ports(
                "activations", activation(in, inputs), "weight", weight(name + "_weight", tensor, 0, outputs, inputs)), activation(out, outputs));
    }

    /// Rows `firstRow` to `firstRow + rows` of the tensor times one vector, without herd and tile.
    NpuCall gemv(String name, String in, String tensor, int firstRow, int rows, int inputs, String out) {
        return call(name, "gemv", Map.of("m", rows, "k", inputs), Map.of(), ports("matrix", weight(name + "_weight", tensor, firstRow, rows,
                inputs), "vector", argument(in, new Source.Activation(in), inputs)), argument(out, new Source.Activation(out), rows));
    }

    NpuCall rope(String name, String in, String table, int heads, String out) {
        Map<String, Integer> shape = new TreeMap<>(Map.of("rows", positions() * heads, "head_dim", model.headDim()));
        if (model.rotaryDim() != model.headDim()) {
            shape.put("rotary_dim", model.rotaryDim());
        }
        int width = heads * model.headDim();
        return tiled(name, "rope", padded(shape), Map.of(), ports("in", activation(in, width), "table",
                argument(table, new Source.LookUpTable(table), dimensions(heads * model.rotaryDim()))), activation(out, width));
    }

    /// Attention of all positions, its operands heads first; empty where the kernel has no legal tile, as at head_dim 32. Upstream builds it without ping-pong
    /// and loop tiling (reference document §E.1).
    Optional<NpuCall> flashAttention(String name, String query, String key, String value, String out) {
        int seq = positions();
        Map<String, Argument> inputs = ports("query", headFirst(query, model.heads()), "key", headFirst(key, model.keyValueHeads()));
        inputs.put("value", headFirst(value, model.keyValueHeads()));
        Map<String, Integer> shape = padded(Map.of("seq_q", seq, "seq_k", seq, "heads", model.heads(), "kv_heads", model.keyValueHeads(),
                "head_dim", model.headDim(), "causal", 1, "head_first", 1));
        return tiles.choose(call(name, "flash_attention", shape, Map.of(), inputs, headFirst(out, model.heads())), false)
                .map(call -> call.withOptions(new ElfOptions(false, 1)));
    }

    private Argument headFirst(String value, int heads) {
        return argument(value, new Source.Activation(value), heads, positions(), model.headDim());
    }

    NpuCall add(String name, String a, String b, String out) {
        int n = model.hiddenSize();
        return tiled(name, "eltwise_add", padded(Map.of("n", positions() * n)), Map.of(), ports("a", activation(a, n), "b", activation(b, n)),
                activation(out, n));
    }

    NpuCall siluMul(String name, String gate, String up, String out) {
        int n = model.intermediateSize();
        return tiled(name, "silu_mul", padded(Map.of("n", positions() * n)), Map.of(),
                ports("gate", activation(gate, n), "up", activation(up, n)), activation(out, n));
    }

    private NpuCall tiled(String name, String kernel, Map<String, Integer> shape, Map<String, Double> constants, Map<String, Argument> inputs,
            Argument output) {
        return tiles.choose(call(name, kernel, shape, constants, inputs, output));
    }

    private NpuCall call(String name, String kernel, Map<String, Integer> shape, Map<String, Double> constants,
            Map<String, Argument> inputs, Argument output) {
        TreeMap<String, Operand> reads = new TreeMap<>();
        inputs.forEach((port, argument) -> reads.put(port, Operand.whole(argument)));
        Argument readBack = output.withReadBack(true);
        Launch launch = new Launch(name, kernel, kernel, new TreeMap<>(shape), new TreeMap<>(constants), new Herd(1, 1), new TreeMap<>(), reads,
                new TreeMap<>(Map.of("out", Operand.whole(readBack))));
        Map<String, Argument> arguments = new LinkedHashMap<>();
        inputs.values().forEach(argument -> arguments.put(argument.name(), argument));
        arguments.put(readBack.name(), readBack);
        return new NpuCall(name, List.of(launch), List.copyOf(arguments.values()), BufferKey.SHARED, new ElfOptions(true, loopTiling(kernel)));
    }

    private int loopTiling(String kernel) {
        if (kernel.equals("flash_attention")) {
            return ATTENTION_LOOP_TILING;
        }
        return phase == Phase.PREFILL && !kernel.equals("gemv") ? PREFILL_LOOP_TILING : DECODE_LOOP_TILING;
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

    private Argument activation(String value, int width) {
        return argument(value, new Source.Activation(value), dimensions(width));
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
