package dev.npuflow.npu.kernel.add;

import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.kernel.elementwise.ElementwiseKernel;
import java.util.List;

/// `eltwise_add`: out = a + b, rounded once.
public final class EltwiseAddKernel extends ElementwiseKernel {

    public EltwiseAddKernel() {
        super("eltwise_add", "a", "b", Float::sum);
    }

    /// On record: 245,760 elements in tiles of 2048 came back as zeros; tiles of 1920 did not.
    @Override
    public List<String> warnings(LaunchDescription launch) {
        return launch.shape().get("n") == 245_760 && launch.tile().get("tile_n") == 2048
                ? List.of("%s: n 245760 with tile_n 2048 gave zeros on silicon; use 1920".formatted(launch.name()))
                : List.of();
    }
}
