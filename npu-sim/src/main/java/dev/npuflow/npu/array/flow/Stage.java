package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.compiler.LaunchDescription;

/// One configuration of the array. A launch is one stage, or several where the tool chain splits it (a GEMM with a separate cast).
public record Stage(LaunchDescription launch, Flow flow) {

    public int cores() {
        return launch.cores();
    }
}
