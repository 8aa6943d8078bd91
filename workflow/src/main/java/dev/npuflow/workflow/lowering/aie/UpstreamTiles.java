package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.aie.AieDevice;
import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.array.CoreFunctions;
import dev.npuflow.npu.aie.gemm.TimedGemm;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Herd;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Herds and tiles as mlir-air's builders and kernel registry choose them, by rule (docs/upstream.md, "ELF building", "Placement"; the registry's best rows).
///
/// They are those for NPU2, whatever the device that a plan is timed on; the numbers are of its device file.
///
/// @param columns of the device that may be used: upstream's eight, or fewer
/// @param npu2    for which upstream's choices were made
record UpstreamTiles(int columns, AieHardware npu2) {

    /// @param columns of the device
    UpstreamTiles(int columns) {
        this(columns, AieDevice.of(Devices.load("npu2", List.of())).hardware());
    }

    UpstreamTiles {
        columns = Math.min(npu2.tiles().herdColumns(), columns);
    }

    /// What the other vectors divide.
    int lanes() {
        return npu2.functions().lanes();
    }

    private int coreRows() {
        return npu2.array().coreRows();
    }

    private long coreMemory() {
        return npu2.array().coreMemoryBytes() - (long) npu2.array().stackBytes();
    }

    /// Columns of a herd: eight, four, two, one, as many as there are.
    private IntStream herds() {
        return halves(npu2.tiles().herdColumns(), 1).filter(herd -> herd <= columns);
    }

    private static IntStream halves(int largest, int least) {
        return IntStream.iterate(largest, size -> size >= least, size -> size / 2);
    }

    /// Keys of a tile of FlashAttention, which divide a head (docs/upstream.md, "Where npuflow differs", 5).
    int attentionKeys() {
        return npu2.functions().attentionRows();
    }

    /// One core of a column multiplies, the next adds.
    Herd gemvAdd() {
        return new Herd(columns, 2);
    }

    SortedMap<String, Integer> gemvAddTile() {
        return new TreeMap<>(Map.of("tile_m", npu2.tiles().gemvAddRows()));
    }

    Herd swiglu() {
        return new Herd(columns, coreRows());
    }

    SortedMap<String, Integer> swigluTile() {
        return new TreeMap<>(Map.of("tile_m", npu2.tiles().swigluRows(), "m_input", npu2.tiles().swigluCallRows()));
    }

    /// What the vectors of GEMV divide.
    int gemvLanes() {
        return npu2.functions().gemvLanes();
    }

    /// @param fitsPingPong whether L1 holds two of each buffer
    record Gemv(Herd herd, int tileRows, int callRows, boolean fitsPingPong) {

        SortedMap<String, Integer> tile() {
            return new TreeMap<>(Map.of("tile_m", tileRows, "m_input", callRows));
        }
    }

    /// @param paddedN   columns that the launch computes: odd widths are padded, as Qwen2.5-0.5B's (docs/upstream.md, "The ELFs of the other models")
    /// @param needsSums whether a second configuration casts its sums, for which upstream's ELF has an argument: those of a `gemm` with large tiles
    record Gemm(KernelId kernel, Herd herd, SortedMap<String, Integer> tile, int paddedN, boolean needsSums) {

        static final DataType SUMS = DataType.F32;
    }

    /// Eight rows a tile and four a call where they fit, less for a large k: one row a call, without ping-pong, from where L1 holds no two vectors
    /// (docs/upstream.md, "LM head").
    Gemv gemv(int m, int k) {
        int tile = halves(npu2.tiles().gemvRows(), 2).filter(rows -> (long) columns * rows * (k + 1) * 2 <= npu2.array().memtileMemoryBytes() && m % (rows * columns) == 0)
                .findFirst().orElse(0);
        if (tile == 0) {
            return gemvOnFewerColumns(m);
        }
        int rows = halves(npu2.tiles().gemvCallRows(), 1).filter(calls -> calls <= tile && 2L * 2 * (calls * k + k + tile) <= coreMemory()).findFirst()
                .orElse(0);
        return new Gemv(new Herd(columns, 1), tile, Math.max(rows, 1), rows > 0);
    }

    private Gemv gemvOnFewerColumns(int m) {
        int fewer = herds().filter(herd -> herd < columns && m % (2 * herd) == 0).findFirst().orElse(1);
        return new Gemv(new Herd(fewer, 1), m % 2 == 0 ? 2 : 1, 1, false);
    }

    Gemm gemm(int m, int k, int n, UpstreamForm form) {
        boolean large = (long) m * k * n >= npu2.tiles().largeGemmMacs();
        int tileM = form.directGemms() || large ? npu2.tiles().largeGemmRows() : npu2.functions().gemmDrainedRows();
        int step = npu2.tiles().paddedGemmColumns();
        int padded = n > step && n % (npu2.tiles().gemmColumns() / 2 * coreRows()) != 0 ? Math.ceilDiv(n, step) * step : n;
        int tileN = IntStream.iterate(npu2.tiles().gemmColumns(), tile -> tile >= lanes(), tile -> tile / 2)
                .filter(tile -> padded % (tile * coreRows()) == 0).findFirst().orElse(lanes());
        int herd = herds().filter(c -> m % (tileM * c) == 0).findFirst().orElse(1);
        KernelId kernel = form.directGemms() ? TimedGemm.DIRECT : GemmKernel.ID;
        int stepL2 = stepL2(k, padded);
        return new Gemm(kernel, new Herd(herd, coreRows()), new TreeMap<>(Map.of("tile_m", tileM, "tile_k_l2", stepL2, "tile_k_l1",
                Math.min(npu2.tiles().gemmStepL1(), stepL2),
                "tile_n", tileN)), padded, !form.directGemms() && large);
    }

    /// 256, of a square GEMM 512, or the largest power of two below that divides k and keeps the stride within its field.
    private int stepL2(int k, int n) {
        int largest = k == n && n <= npu2.tiles().squareGemmMost() ? npu2.tiles().squareGemmStepL2() : npu2.tiles().gemmStepL2();
        return IntStream.iterate(largest, step -> step >= lanes(), step -> step / 2)
                .filter(step -> k % step == 0 && (n <= npu2.tiles().anyStrideMost() || (long) step * n <= npu2.dma().maximumStride())).findFirst()
                .orElse(lanes());
    }

    /// The most cores of a column each that divide the rows.
    Herd rows(int rows) {
        return new Herd(herds().filter(herd -> rows % herd == 0).findFirst().orElse(1), 1);
    }

    Herd elementwise(int n) {
        return new Herd(herds().filter(herd -> n % (herd * lanes()) == 0).findFirst().orElse(1), 1);
    }

    SortedMap<String, Integer> add(int n, Herd herd) {
        return new TreeMap<>(Map.of("tile_n", largestTile(n / herd.cores(), npu2.tiles().add())));
    }

    /// 4096 at hidden 8192, 5120 at 8960, 4864 at 9728, 4096 at 11008, as in docs/upstream.md, "Placement".
    SortedMap<String, Integer> siluMul(int n, Herd herd) {
        return new TreeMap<>(Map.of("tile_n", largestTile(n / herd.cores(), npu2.tiles().siluMul())));
    }

    private int largestTile(int share, int largest) {
        return IntStream.iterate(Math.min(share, largest) / lanes() * lanes(), tile -> tile > 0, tile -> tile - lanes())
                .filter(tile -> share % tile == 0).findFirst().orElse(share);
    }

    /// Head dimensions of 256 take half the keys and one head at a time (docs/upstream.md, "Placement").
    SortedMap<String, Integer> attention(int heads, int headDim) {
        CoreFunctions functions = npu2.functions();
        boolean wide = headDim >= functions.wideHead();
        int rows = functions.attentionRows(headDim);
        int most = npu2.tiles().herdColumns();
        int queryTiles = Math.min(wide ? most : most / functions.headsAtOnce(), columns);
        int headsAtOnce = wide || heads % 2 != 0 || 2 * queryTiles > columns ? 1 : functions.headsAtOnce();
        int valueTile = wide ? npu2.tiles().wideHeadValues() : rows;
        SortedMap<String, Integer> tile = new TreeMap<>(Map.of("lqp", rows * queryTiles, "lkp", rows, "num_q_tiles", queryTiles));
        tile.putAll(Map.of("hpu", headsAtOnce, "cascade", coreRows(), "dv_chunks", Math.ceilDiv(headDim, valueTile)));
        return tile;
    }
}
