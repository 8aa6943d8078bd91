package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Herd;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Herds and tiles as mlir-air's builders and kernel registry choose them, by rule (reference document §E, §G; the registry's best rows).
///
/// @param columns of the device that may be used: upstream's eight, or fewer
record UpstreamTiles(int columns) {

    private static final int VECTOR = 16;
    private static final int CORE_ROWS = 4;
    /// A GEMM of at least so many multiplications is fused-cast (§E.1).
    private static final long FUSED_CAST = 4_000_000_000L;
    private static final int FUSED_CAST_ROWS = 64;
    private static final int DRAIN_ROWS = 32;
    private static final int INNER_STEP = 32;
    /// The largest stride that every GEMM of the registry keeps to, in elements; n up to 8192 places at 256 all the same (§E.5).
    private static final int STRIDE = 1 << 20;
    private static final int ALWAYS_PLACES = 8192;
    /// L2 and L1 of NPU2, for which upstream's choices were made (§G, GEMV 4 and 7).
    private static final int L2_BYTES = 524_288;
    private static final int L1_BYTES = 65_536 - 1024;
    private static final int GEMV_ROWS = 8;
    private static final int GEMV_CALL_ROWS = 4;
    private static final int LARGEST_ADD_TILE = 2048;
    private static final int LARGEST_SILU_TILE = 5120;

    UpstreamTiles {
        columns = Math.min(8, columns);
    }

    /// @param fitsPingPong whether L1 holds two of each buffer
    record Gemv(Herd herd, int tileRows, int callRows, boolean fitsPingPong) {

        SortedMap<String, Integer> tile() {
            return new TreeMap<>(Map.of("tile_m", tileRows, "m_input", callRows));
        }
    }

    /// @param paddedN columns that the launch computes: odd widths are padded, as Qwen2.5-0.5B's (§E.4)
    record Gemm(String kernel, Herd herd, SortedMap<String, Integer> tile, int paddedN) {

        /// Sums of a `gemm` with large tiles are cast by a second configuration, and upstream's ELF has an argument for them.
        boolean needsSums() {
            return kernel.equals("gemm") && tile.get("tile_m") == FUSED_CAST_ROWS;
        }

        static final DataType SUMS = DataType.F32;
    }

    /// Eight rows a tile and four a call where they fit, less for a large k: one row a call, without ping-pong, from where L1 holds no two vectors
    /// (§E.3).
    Gemv gemv(int m, int k) {
        int tile = IntStream.of(GEMV_ROWS, 4, 2).filter(rows -> (long) columns * rows * (k + 1) * 2 <= L2_BYTES && m % (rows * columns) == 0)
                .findFirst().orElse(0);
        if (tile == 0) {
            return gemvOnFewerColumns(m);
        }
        int rows = IntStream.of(GEMV_CALL_ROWS, 2, 1).filter(calls -> calls <= tile && 2L * 2 * (calls * k + k + tile) <= L1_BYTES).findFirst()
                .orElse(0);
        return new Gemv(new Herd(columns, 1), tile, Math.max(rows, 1), rows > 0);
    }

    private Gemv gemvOnFewerColumns(int m) {
        int fewer = IntStream.of(4, 2, 1).filter(herd -> herd < columns && m % (2 * herd) == 0).findFirst().orElse(1);
        return new Gemv(new Herd(fewer, 1), m % 2 == 0 ? 2 : 1, 1, false);
    }

    Gemm gemm(int m, int k, int n, UpstreamForm form) {
        boolean large = (long) m * k * n >= FUSED_CAST;
        int tileM = form.directGemms() || large ? FUSED_CAST_ROWS : DRAIN_ROWS;
        int padded = n > 512 && n % (64 * CORE_ROWS) != 0 ? Math.ceilDiv(n, 512) * 512 : n;
        int tileN = IntStream.of(128, 64, 32, VECTOR).filter(tile -> padded % (tile * CORE_ROWS) == 0).findFirst().orElse(VECTOR);
        int herd = IntStream.of(8, 4, 2, 1).filter(c -> c <= columns && m % (tileM * c) == 0).findFirst().orElse(1);
        String kernel = form.directGemms() ? "gemm_direct" : "gemm";
        int step = stepL2(k, padded);
        return new Gemm(kernel, new Herd(herd, CORE_ROWS), new TreeMap<>(Map.of("tile_m", tileM, "tile_k_l2", step, "tile_k_l1", Math.min(INNER_STEP,
                step),
                "tile_n", tileN)), padded);
    }

    /// 256, of a square GEMM 512, or the largest power of two below that divides k and keeps the stride within its field.
    private static int stepL2(int k, int n) {
        int largest = k == n && n <= 2048 ? 512 : 256;
        return IntStream.iterate(largest, step -> step >= VECTOR, step -> step / 2)
                .filter(step -> k % step == 0 && (n <= ALWAYS_PLACES || (long) step * n <= STRIDE)).findFirst().orElse(VECTOR);
    }

    /// The most cores of a column each that divide the rows.
    Herd rows(int rows) {
        return new Herd(IntStream.of(8, 4, 2, 1).filter(herd -> herd <= columns && rows % herd == 0).findFirst().orElse(1), 1);
    }

    Herd elementwise(int n) {
        return new Herd(IntStream.of(8, 4, 2, 1).filter(herd -> herd <= columns && n % (herd * VECTOR) == 0).findFirst().orElse(1), 1);
    }

    SortedMap<String, Integer> add(int n, Herd herd) {
        return new TreeMap<>(Map.of("tile_n", largestTile(n / herd.cores(), LARGEST_ADD_TILE)));
    }

    /// 4096 at hidden 8192, 5120 at 8960, 4864 at 9728, 4096 at 11008, as in §G.
    SortedMap<String, Integer> siluMul(int n, Herd herd) {
        return new TreeMap<>(Map.of("tile_n", largestTile(n / herd.cores(), LARGEST_SILU_TILE)));
    }

    private static int largestTile(int share, int largest) {
        return IntStream.iterate(Math.min(share, largest) / VECTOR * VECTOR, tile -> tile > 0, tile -> tile - VECTOR)
                .filter(tile -> share % tile == 0).findFirst().orElse(share);
    }

    /// Head dimensions of 256 take half the keys and one head at a time (§G).
    SortedMap<String, Integer> attention(int heads, int headDim) {
        boolean wide = headDim >= 256;
        int queryTiles = Math.min(wide ? 8 : 4, columns);
        int headsAtOnce = wide || heads % 2 != 0 || 2 * queryTiles > columns ? 1 : 2;
        int valueTile = wide ? 128 : 64;
        SortedMap<String, Integer> tile = new TreeMap<>(Map.of("lqp", (wide ? 32 : 64) * queryTiles, "lkp", wide ? 32 : 64, "num_q_tiles",
                queryTiles));
        tile.putAll(Map.of("hpu", headsAtOnce, "cascade", CORE_ROWS, "dv_chunks", Math.ceilDiv(headDim, valueTile)));
        return tile;
    }
}
