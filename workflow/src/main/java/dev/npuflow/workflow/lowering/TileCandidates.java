package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Herds and tiles that divide a launch's shape, best first: herd 8, then 4, 2, 1; of each the largest tile. Whether one
/// fits the device is not known here.
public final class TileCandidates {

    /// Elementwise tiles are multiples of the vector width (reference document §I.4); larger than 4096 overflows L1 (§G).
    private static final int VECTOR = 16;
    private static final int LARGEST_ELEMENTWISE_TILE = 4096;
    /// A GEMM of at least so many multiplications gains by 64 rows a tile although its fp32 sums leave the core; a smaller one drains
    /// bf16 from tiles of 32 (§E.1, methods). 256 columns overflow L1 (§G).
    private static final long LARGE_GEMM = 4_000_000_000L;
    private static final int LARGEST_GEMM_TILE_M = 64;
    private static final int LARGEST_DRAINED_TILE_M = 32;
    private static final int LARGEST_GEMM_TILE_N = 128;
    /// The largest step and inner step of the placed bf16 rows of the kernel registry at 2048 positions.
    private static final int LARGEST_GEMM_TILE_K_L2 = 256;
    private static final int LARGEST_GEMM_TILE_K_L1 = 32;

    private static final int CORE_ROWS = 4;
    private static final int ATTENTION_ROWS = 64;
    private static final int WIDE_HEAD = 256;

    public record Candidate(Herd herd, SortedMap<String, Integer> tile) {}

    private TileCandidates() {}

    static Stream<Candidate> of(Launch launch) {
        return of(launch.kernel(), launch.shape());
    }

    /// @param shape extents as the kernel's signature names them
    public static Stream<Candidate> of(String kernel, Map<String, Integer> shape) {
        return switch (kernel) {
            case "gemv" -> gemv(shape.get("m"));
            case "gemm" -> gemm(shape.get("m"), shape.get("k"), shape.get("n"));
            case "rms_norm", "rope", "bias_add" -> columns(shape.get("rows")).mapToObj(columns -> new Candidate(new Herd(columns, 1), new TreeMap<>()));
            case "flash_attention" -> attention(shape.get("head_dim"));
            case "eltwise_add", "silu_mul" -> elementwise(shape.get("n"));
            default -> throw new IllegalArgumentException("no tiling rule for kernel %s".formatted(kernel));
        };
    }

    /// What an extent must be for a herd and tile to divide it, where some extents have none.
    public static String divisible(String kernel) {
        return switch (kernel) {
            case "gemv" -> "an even m";
            case "gemm" -> "m and k that are multiples of %d, n of %d".formatted(VECTOR, 2 * VECTOR);
            case "eltwise_add", "silu_mul" -> "n that is a multiple of %d".formatted(VECTOR);
            default -> "another shape";
        };
    }

    private static Stream<Candidate> gemv(int m) {
        return columns(m).boxed().flatMap(columns -> divisors(m / columns, m / columns).filter(tileM -> tileM % 2 == 0).boxed()
                .flatMap(tileM -> divisors(tileM, tileM)
                        .mapToObj(mInput -> candidate(columns, 1, Map.of("tile_m", tileM, "m_input", mInput)))));
    }

    /// A herd of one row builds and fails at run (§G), so rows are 4 or 2.
    private static Stream<Candidate> gemm(int m, int k, int n) {
        int largestTileM = (long) m * k * n >= LARGE_GEMM ? LARGEST_GEMM_TILE_M : LARGEST_DRAINED_TILE_M;
        return columns(m).boxed().flatMap(columns -> IntStream.of(4, 2).filter(rows -> n % rows == 0).boxed()
                .flatMap(rows -> multiples(m / columns, largestTileM).boxed()
                        .flatMap(tileM -> powersOfTwo(k, LARGEST_GEMM_TILE_K_L2).boxed()
                                .flatMap(tileK -> multiples(n / rows, LARGEST_GEMM_TILE_N).boxed()
                                        .flatMap(tileN -> powersOfTwo(tileK, LARGEST_GEMM_TILE_K_L1)
                                                .mapToObj(inner -> candidate(columns, rows, Map.of("tile_m", tileM, "tile_k_l2", tileK,
                                                        "tile_k_l1", inner, "tile_n", tileN))))))));
    }

    /// Four query tiles of two heads at once, of one, then fewer query tiles: a device may have few columns, a model an odd number of heads. Heads of 256 take
    /// half the queries and keys (§G).
    private static Stream<Candidate> attention(int headDim) {
        boolean wide = headDim >= WIDE_HEAD;
        int rows = wide ? ATTENTION_ROWS / 2 : ATTENTION_ROWS;
        int valueTile = wide ? 2 * ATTENTION_ROWS : ATTENTION_ROWS;
        return IntStream.of(wide ? 8 : 4, 2, 1).boxed().flatMap(tiles -> IntStream.of(2, 1).filter(hpu -> hpu * tiles <= 8).mapToObj(hpu ->
                candidate(hpu * tiles, CORE_ROWS, Map.of("lqp", rows * tiles, "lkp", rows, "num_q_tiles", tiles, "hpu", hpu, "cascade", CORE_ROWS,
                        "dv_chunks", Math.ceilDiv(headDim, valueTile)))));
    }

    private static Stream<Candidate> elementwise(int n) {
        return columns(n).boxed().flatMap(columns -> multiples(n / columns, LARGEST_ELEMENTWISE_TILE)
                .mapToObj(tile -> candidate(columns, 1, Map.of("tile_n", tile))));
    }

    private static Candidate candidate(int columns, int rows, Map<String, Integer> tile) {
        return new Candidate(new Herd(columns, rows), new TreeMap<>(tile));
    }

    private static IntStream columns(int extent) {
        return IntStream.of(8, 4, 2, 1).filter(columns -> extent % columns == 0);
    }

    private static IntStream divisors(int extent, int largest) {
        return IntStream.iterate(Math.min(extent, largest), i -> i >= 1, i -> i - 1).filter(i -> extent % i == 0);
    }

    private static IntStream multiples(int extent, int largest) {
        return divisors(extent, largest).filter(i -> i % VECTOR == 0);
    }

    private static IntStream powersOfTwo(int extent, int largest) {
        return IntStream.iterate(Integer.highestOneBit(largest), i -> i >= VECTOR, i -> i / 2).filter(i -> extent % i == 0);
    }
}
