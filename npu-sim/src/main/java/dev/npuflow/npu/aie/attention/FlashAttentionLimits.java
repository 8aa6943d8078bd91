package dev.npuflow.npu.aie.attention;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import java.util.List;
import java.util.function.ToLongFunction;

/// Where FlashAttention can be placed. Sources: the assertions of mlir-air's FlashAttention builder, and what its kernel registry says of tiles that hang or do
/// not fit.
final class FlashAttentionLimits {

    static final Limit QUERIES_DIVIDE = divides("QUERIES_DIVIDE", "lq", s -> s.shape("seq_q"), "lqp", s -> s.tile("lqp"));
    static final Limit QUERY_TILES_DIVIDE = divides("QUERY_TILES_DIVIDE", "lqp", s -> s.tile("lqp"), "num_q_tiles", s -> s.tile("num_q_tiles"));
    static final Limit KEYS_DIVIDE = divides("KEYS_DIVIDE", "lk", s -> s.shape("seq_k"), "lkp * num_cascade_stages", s -> s.tile("lkp") * s.tile("cascade"));
    static final Limit HEAD_DIVIDES = divides("HEAD_DIVIDES", "dk", s -> s.shape("head_dim"), "lkp", s -> s.tile("lkp"));
    static final Limit VALUES_DIVIDE = limit("VALUES_DIVIDE", s -> s.shape("head_dim") % values(s) != 0,
            s -> "dv (%d) must be divisible by dv_chunks * %d (%d)".formatted(s.shape("head_dim"), s.device().functions().valueStep(), values(s)),
            "tiles are whole", s -> "Use a dv_chunks * %d that divides dv.".formatted(s.device().functions().valueStep()));
    static final Limit GROUPS_DIVIDE = divides("GROUPS_DIVIDE", "num_heads", s -> s.shape("heads"), "num_kv_heads", s -> s.shape("kv_heads"));
    static final Limit HEADS_DIVIDE = divides("HEADS_DIVIDE", "num_heads", s -> s.shape("heads"), "num_heads_per_unroll", s -> s.tile("hpu"));

    static final Limit UNROLL = limit("UNROLL",
            s -> s.tile("hpu") > s.device().functions().headsAtOnce() || s.tile("cascade") != s.device().array().coreRows(),
            s -> "num_heads_per_unroll (%d) must be at most %d, num_cascade_stages (%d) %d".formatted(s.tile("hpu"),
                    s.device().functions().headsAtOnce(), s.tile("cascade"), s.device().array().coreRows()),
            "the keys are split over the four core rows, the heads over the two halves of the columns", s -> "Use an hpu of at most %d and a cascade of %d.".formatted(s.device().functions().headsAtOnce(), s.device().array().coreRows()));

    static final Limit HERD = limit("HERD_SHAPE",
            s -> s.herdColumns() != s.tile("hpu") * s.tile("num_q_tiles") || s.herdRows() != s.tile("cascade"),
            s -> "herd shape mismatch: herd %d x %d, FlashAttention takes hpu * num_q_tiles (%d) x cascade (%d)".formatted(s.herdColumns(), s.herdRows(),
                    s.tile("hpu") * s.tile("num_q_tiles"), s.tile("cascade")),
            "every column has one query tile of one head", s -> "Use a herd of %d x %d.".formatted(s.tile("hpu") * s.tile("num_q_tiles"), s.tile("cascade")));

    static final Limit CAUSAL_TILES = limit("CAUSAL",
            s -> causal(s) && (s.shape("seq_q") != s.shape("seq_k") || queries(s) != s.tile("lkp")),
            s -> "causal needs lq == lk (%d, %d) and lqp / num_q_tiles == lkp (%d, %d)".formatted(s.shape("seq_q"), s.shape("seq_k"), queries(s), s.tile("lkp")),
            "the mask is that of one square block on the diagonal", "Use as many queries as keys, and an lkp equal to lqp / num_q_tiles.");

    static final Limit TILE_ROWS = limit("TILE_ROWS",
            s -> queries(s) != rows(s),
            s -> "%d query rows a tile at head_dim %d: fewer than %d hang, more do not place; %d at head_dim %d".formatted(queries(s), s.shape("head_dim"),
                    s.device().functions().attentionRows(), s.device().functions().wideHeadRows(), s.device().functions().wideHead()),
            "the core function was built and seen to run for these only", s -> "Use an lqp of %d * num_q_tiles.".formatted(rows(s)));

    static final Limit PADDING_SEEN = limit("PADDING_SEEN",
            s -> !causal(s) && s.launch().shape().containsKey("positions"),
            s -> "without causal every query would attend to the padding of %d positions".formatted(s.shape("positions")),
            "padded positions come last, and only the causal mask hides them", "Make the attention causal.");

    /// Our own words: on silicon this one hangs.
    static final Limit SEQ_FIRST_VALUES = limit("SEQ_FIRST_VALUES",
            s -> !s.launch().shape().containsKey(FlashAttentionKernel.HEAD_FIRST) && s.tile("dv_chunks") != 1,
            s -> "seq-first needs dv_chunks == 1, has %d (head_dim %d): it would hang".formatted(s.tile("dv_chunks"), s.shape("head_dim")),
            "positions first, a head's values are strided, and chunks of them cannot be told apart", "Put heads first, with transposes on the host.");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY",
            s -> bytes(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (%dB > %dB, stack %dB)".formatted(
                    bytes(s) + s.device().array().stackBytes(), s.device().array().coreMemoryBytes(), s.device().array().stackBytes()),
            "a core's L1 holds blocks of queries, keys, values, scores and results, all twice with ping-pong", "Switch ping-pong off, or use more dv_chunks.");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, QUERIES_DIVIDE, QUERY_TILES_DIVIDE, KEYS_DIVIDE, HEAD_DIVIDES, VALUES_DIVIDE, GROUPS_DIVIDE,
            HEADS_DIVIDE, UNROLL, HERD, CAUSAL_TILES, TILE_ROWS, PADDING_SEEN, SEQ_FIRST_VALUES, CORE_MEMORY);

    private FlashAttentionLimits() {}

    private static Limit divides(String id, String label, ToLongFunction<LaunchSite> extent, String divisor, ToLongFunction<LaunchSite> by) {
        return limit(id, s -> extent.applyAsLong(s) % by.applyAsLong(s) != 0,
                s -> "%s (%d) must be divisible by %s (%d)".formatted(label, extent.applyAsLong(s), divisor, by.applyAsLong(s)),
                "tiles are whole", "Use a %s that divides %s.".formatted(divisor, label));
    }

    private static long values(LaunchSite s) {
        return s.tile("dv_chunks") * s.device().functions().valueStep();
    }

    private static boolean causal(LaunchSite s) {
        return s.launch().shape().containsKey(FlashAttentionKernel.CAUSAL);
    }

    private static long rows(LaunchSite s) {
        return s.device().functions().attentionRows(s.shape("head_dim"));
    }

    private static long queries(LaunchSite s) {
        return s.tile("lqp") / s.tile("num_q_tiles");
    }

    /// The keys' width is cut into pieces of lkp, the values' into dv_chunks.
    private static long bytes(LaunchSite s) {
        long rows = queries(s);
        long keys = s.tile("lkp");
        long values = s.shape("head_dim") / s.tile("dv_chunks");
        return s.copies() * 2 * (rows * keys + keys * keys + keys * values + rows * keys + rows * values);
    }
}
