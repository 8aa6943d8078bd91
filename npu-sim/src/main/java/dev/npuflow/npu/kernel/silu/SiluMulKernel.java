package dev.npuflow.npu.kernel.silu;

import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.kernel.elementwise.ElementwiseKernel;
import java.util.Optional;

/// `silu_mul`: out = gate / (1 + exp(−gate)) · up, fp32 inside, rounded once.
public final class SiluMulKernel extends ElementwiseKernel {

    public SiluMulKernel() {
        super("silu_mul", "gate", "up", Silu::multiplied);
    }

    /// The tile is fixed when the object is built.
    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("silu_and_mul: tile_n %d".formatted(launch.tile().get("tile_n")));
    }
}
