package dev.npuflow.npu.aie.attention;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.array.CoreFunctions;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// `flash_attention`: heads and query tiles lie on the columns, the keys are split over the rows.
public final class FlashAttention implements AieKernel {

    @Override public KernelId id() {
        return FlashAttentionKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of("lqp", "lkp", "num_q_tiles", "hpu", "cascade", "dv_chunks");
    }

    @Override public BenchmarkBuild benchmark() {
        return new BenchmarkBuild(4, false, 1);
    }

    @Override public List<Limit> limits() {
        return FlashAttentionLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new AttentionFlow()));
    }

    /// The object's blocking is fixed when it is built.
    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("attn: head_dim %d, %s".formatted(launch.shape().get("head_dim"), launch.tile()));
    }

    /// Query tiles of two heads at once, of one, then fewer query tiles: a device may have few columns, a model an odd number of heads. Wide heads take half
    /// the queries and keys, and twice the columns.
    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        int headDim = shape.get("head_dim");
        CoreFunctions functions = device.functions();
        boolean wide = headDim >= functions.wideHead();
        int rows = functions.attentionRows(headDim);
        int valueTile = wide ? device.tiles().wideHeadValues() : rows;
        int most = device.tiles().herdColumns();
        int cascade = device.array().coreRows();
        return IntStream.of(wide ? most : most / functions.headsAtOnce(), 2, 1).boxed()
                .flatMap(tiles -> IntStream.of(functions.headsAtOnce(), 1).filter(heads -> heads * tiles <= most)
                        .mapToObj(heads -> Tiling.of(heads * tiles, cascade, Map.of("lqp", rows * tiles, "lkp", rows, "num_q_tiles", tiles, "hpu", heads,
                                "cascade", cascade, "dv_chunks", Math.ceilDiv(headDim, valueTile)))));
    }
}
