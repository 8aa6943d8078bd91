package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;

/// Who works head-first, (heads, positions, head_dim); the reference is seq-first everywhere.
final class Layouts {

    private Layouts() {}

    static boolean headFirst(Launch launch) {
        return launch.kernel().equals(FlashAttentionKernel.ID.value()) && launch.shape().getOrDefault(FlashAttentionKernel.HEAD_FIRST, 0) == 1;
    }

    static boolean headFirst(HostOp op) {
        return "head_first".equals(op.options().get("layout"));
    }
}
