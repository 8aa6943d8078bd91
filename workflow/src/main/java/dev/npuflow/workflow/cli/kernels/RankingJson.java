package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.workflow.tuning.LoneKernel;
import dev.npuflow.workflow.tuning.LoneKernelClock.BrokenLimit;
import dev.npuflow.workflow.tuning.LoneKernelClock.Ranked;
import java.util.LinkedHashMap;
import java.util.Map;

/// Configurations and limits for programs.
public final class RankingJson {

    private RankingJson() {}

    /// What was asked: the kernel, its shape, and how it is placed and built.
    public static Map<String, Object> asked(LoneKernel kernel) {
        Map<String, Object> fields = configuration(kernel);
        fields.put("kernel", kernel.id().value());
        fields.put("shape", kernel.shape());
        fields.put("loop_tiling", kernel.options().loopTiling());
        return fields;
    }

    static Map<String, Object> configuration(LoneKernel kernel) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("herd", "%dx%d".formatted(kernel.herd().columns(), kernel.herd().rows()));
        fields.put("tile", kernel.tile());
        fields.put("ping_pong", kernel.options().pingPong());
        return fields;
    }

    static Map<String, Object> ranked(Ranked ranked) {
        Map<String, Object> fields = configuration(ranked.kernel());
        fields.put("us", ranked.microseconds());
        fields.put("bound", ranked.boundBy());
        return fields;
    }

    static Map<String, Object> limit(BrokenLimit limit) {
        Map<String, Object> fields = blocker(limit.blocker());
        fields.put("candidates", limit.candidates());
        return fields;
    }

    static Map<String, Object> blocker(Blocker blocker) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("limit", blocker.limit());
        fields.put("message", blocker.message());
        fields.put("cause", blocker.cause());
        fields.put("remedy", blocker.remedy());
        return fields;
    }
}
