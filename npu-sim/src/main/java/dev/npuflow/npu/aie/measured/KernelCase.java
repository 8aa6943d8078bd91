package dev.npuflow.npu.aie.measured;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.gemm.TimedGemm;
import dev.npuflow.npu.calibration.Table;
import dev.npuflow.npu.calibration.Table.Row;
import dev.npuflow.npu.clock.LaunchClock.Packaging;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a row of measured kernels holds, as an ELF to time; or why it cannot be timed.
public sealed interface KernelCase {

    String rowId();

    /// @param family  rows that one target of accuracy is stated for
    /// @param scored  counts towards the family's error: passed, and its tile configuration is complete
    record Timed(String rowId, KernelId kernel, String family, ElfDescription elf, Packaging packaging, double measuredMicroseconds, boolean scored)
            implements KernelCase {}

    record Untimed(String rowId, String why) implements KernelCase {}

    /// Of `kernels.csv`.
    List<String> COLUMNS = List.of("row_id", "kernel", "variant", "placed", "M", "K", "N", "rows", "cols", "n_elems", "herd_m", "herd_n",
            "tile_m", "m_input",
            "tile_k_l2", "tile_k_l1", "tile_n", "tile_config", "bin_format", "pingpong", "runtime_tiling", "latency_us", "status");

    /// Of `measured/latencies.csv`, which npuflow ships: rows that passed, each configuration in full, in the words of plans.
    List<String> SHIPPED_COLUMNS = List.of("id", "family", "kernel", "shape", "herd", "tile", "packaging", "ping_pong", "loop_tiling", "microseconds");

    /// The rows of a file in either form.
    ///
    /// @throws NpuflowException NPF-310 to NPF-313 for a file that has neither
    static List<KernelCase> read(Path file) {
        List<Row> rows = Table.read(file, List.of("kernel")).rows();
        if (!rows.isEmpty() && rows.getFirst().fields().containsKey("microseconds")) {
            return Table.read(file, SHIPPED_COLUMNS).rows().stream().map(KernelCase::shipped).toList();
        }
        return Table.read(file, COLUMNS).rows().stream().map(KernelCase::of).toList();
    }

    private static KernelCase shipped(Row row) {
        KernelId kernel = new KernelId(row.text("kernel"));
        String[] herd = row.text("herd").split("x", 2);
        if (!row.text("herd").matches("[0-9]{1,4}x[0-9]{1,4}")) {
            throw NpuflowException.badInput("NPF-313", "%s: row %d field herd (%s)".formatted(row.file(), row.line(), row.text("herd")), "columns and rows", "8x1");
        }
        LaunchDescription launch = new LaunchDescription(kernel.value(), kernel, kernel.value(), row.extents("shape"), new TreeMap<>(),
                Integer.parseInt(herd[0]), Integer.parseInt(herd[1]), row.extents("tile"), new TreeMap<>());
        ElfDescription elf = new ElfDescription(row.text("id"), List.of(launch), List.of(), row.text("ping_pong").equals("on"), row.whole("loop_tiling"));
        double microseconds = row.number("microseconds").orElse(0);
        return microseconds == 0 ? new Untimed(row.text("id"), "no latency")
                : new Timed(row.text("id"), kernel, row.text("family"), elf, packaging(row.text("packaging")), microseconds, true);
    }

    private static Packaging packaging(String text) {
        return text.equals("elf") ? Packaging.ELF : Packaging.XCLBIN;
    }

    static KernelCase of(Row row) {
        String id = row.text("row_id");
        double measured = row.number("latency_us").orElse(0);
        if (!row.text("placed").equals("1") || measured == 0) {
            return new Untimed(id, row.text("placed").equals("0") ? "does not place" : "no latency");
        }
        return switch (row.text("kernel")) {
            case "GEMV_bf16" -> row.whole("tile_m") == 0 || row.whole("m_input") == 0 ? incomplete(id)
                    : timed(row, "GEMV", GemvKernel.ID, shape("m", row.whole("M"), "k", row.whole("K")),
                            tile("tile_m", row.whole("tile_m"), "m_input", row.whole("m_input")), true);
            case "RMSNorm_bf16" -> timed(row, "RMSNorm", RmsNormKernel.ID, shape("rows", row.whole("rows"), "n", row.whole("cols")), new TreeMap<>(), false);
            case "RoPE_bf16" -> timed(row, "RoPE", RopeKernel.ID, shape("rows", row.whole("rows"), "head_dim", row.whole("cols")), new TreeMap<>(), false);
            case "EltwiseAdd_bf16" -> elementwise(row, "EltwiseAdd", EltwiseAddKernel.ID);
            case "SiLU_Mul_bf16" -> elementwise(row, "SiLU_Mul", SiluMulKernel.ID);
            case "GEMM_bf16_bf16out", "GEMM_bf16_f32out" -> gemm(row);
            case "FlashAttention_bf16" -> attention(row);
            default -> new Untimed(id, "kernel " + row.text("kernel") + " is not one of those simulated by row");
        };
    }

    private static KernelCase elementwise(Row row, String family, KernelId kernel) {
        return row.whole("tile_n") == 0 ? incomplete(row.text("row_id"))
                : timed(row, family, kernel, shape("n", row.whole("n_elems")), tile("tile_n", row.whole("tile_n")), false);
    }

    private static KernelCase gemm(Row row) {
        boolean f32 = row.text("kernel").equals("GEMM_bf16_f32out");
        Optional<KernelId> kernel = Optional.ofNullable(switch (row.text("variant")) {
            case "drain" -> GemmKernel.ID;
            case "fused-cast" -> TimedGemm.FUSED_CAST;
            case "direct" -> f32 ? TimedGemm.F32_DIRECT : TimedGemm.DIRECT;
            case "external" -> TimedGemm.F32_OUT;
            default -> null;
        });
        if (kernel.isEmpty() || row.whole("tile_k_l1") == 0 || row.whole("tile_n") == 0) {
            return kernel.isEmpty() ? new Untimed(row.text("row_id"), "another runtime (" + row.text("variant") + ")")
                    : incomplete(row.text("row_id"));
        }
        SortedMap<String, Integer> tile = tile("tile_m", row.whole("tile_m"), "tile_k_l2", row.whole("tile_k_l2"));
        tile.putAll(tile("tile_k_l1", row.whole("tile_k_l1"), "tile_n", row.whole("tile_n")));
        SortedMap<String, Integer> shape = shape("m", row.whole("M"), "k", row.whole("K"));
        shape.put("n", row.whole("N"));
        return timed(row, "GEMM " + row.text("variant") + (f32 ? " f32 out" : ""), kernel.get(), shape, tile, false);
    }

    private static KernelCase attention(Row row) {
        SortedMap<String, Integer> tile = new TreeMap<>();
        for (String part : row.text("tile_config").split("/")) {
            String[] pair = part.split("=");
            if (pair.length == 2 && pair[1].matches("[0-9]{1,6}")) {
                tile.put(pair[0], Integer.parseInt(pair[1]));
            }
        }
        if (!tile.keySet().containsAll(List.of("lqp", "num_q_tiles", "hpu", "cascade"))) {
            return incomplete(row.text("row_id"));
        }
        tile.putIfAbsent("lkp", 64);
        tile.putIfAbsent("dv_chunks", Math.ceilDiv(row.whole("head_dim"), 64));
        SortedMap<String, Integer> shape = shape("seq_q", row.whole("seq_q"), "seq_k", row.whole("seq_k"));
        shape.putAll(shape("heads", row.whole("heads"), "kv_heads", row.whole("kv_heads")));
        shape.put("head_dim", row.whole("head_dim"));
        if (row.whole("causal") == 1) {
            shape.put("causal", 1);
        }
        if (row.text("variant").contains("heads-first")) {
            shape.put("head_first", 1);
        }
        return timed(row, "FlashAttention", FlashAttentionKernel.ID, shape, tile, false);
    }

    private static KernelCase timed(Row row, String family, KernelId kernel, SortedMap<String, Integer> shape, SortedMap<String, Integer> tile,
            boolean scoredWithoutStatus) {
        String id = row.text("row_id");
        if (shape.entrySet().stream().anyMatch(extent -> extent.getValue() == 0) || row.whole("herd_m") == 0) {
            return incomplete(id);
        }
        LaunchDescription launch = new LaunchDescription(kernel.value(), kernel, kernel.value(), shape, new TreeMap<>(), row.whole("herd_m"), Math.max(1,
                row.whole("herd_n")),
                tile, new TreeMap<>());
        ElfDescription elf = new ElfDescription(id, List.of(launch), List.of(), row.text("pingpong").equals("on"),
                tiling(row.text("runtime_tiling")));
        boolean passed = row.text("status").equals("pass") || scoredWithoutStatus && row.text("status").isEmpty();
        return new Timed(id, kernel, family, elf, packaging(row.text("bin_format")), row.number("latency_us").orElse(0), passed);
    }

    private static int tiling(String text) {
        String first = text.split("x")[0];
        return first.matches("[0-9]{1,4}") ? Math.max(1, Integer.parseInt(first)) : 1;
    }

    private static Untimed incomplete(String id) {
        return new Untimed(id, "its configuration is not stated in full");
    }

    private static SortedMap<String, Integer> shape(String first, int a, String second, int b) {
        return new TreeMap<>(Map.of(first, a, second, b));
    }

    private static SortedMap<String, Integer> shape(String name, int extent) {
        return new TreeMap<>(Map.of(name, extent));
    }

    private static SortedMap<String, Integer> tile(String first, int a, String second, int b) {
        return shape(first, a, second, b);
    }

    private static SortedMap<String, Integer> tile(String name, int extent) {
        return shape(name, extent);
    }
}
