package dev.npuflow.workflow.estimate;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.PlanMemory;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.ModelInspection;
import dev.npuflow.workflow.reference.ReferenceMemory;
import java.util.Optional;
import java.util.OptionalLong;

/// Memory of this machine that one `generate` takes, to about a tenth: weights, keys and values, the activations of the prompt, and Java itself.
///
/// @param positions of the text; a prompt is taken to be as long, up to what a prefill is padded to
/// @param reference bytes on the reference
/// @param npu       bytes on the simulated NPU with the baseline plan; empty where that does not place
public record RunMemory(int positions, long reference, OptionalLong npu) {

    /// Java with its code and libraries, before any model. Measured: 205 to 225 MB for tiny_kjv, whose weights are 2 MB.
    private static final long JAVA = 200_000_000;
    /// The heap grows to about so many times the activations that live in it before it is collected. Measured on the six texts of RunMemoryTest.
    private static final int HEAP_BY_LIVE = 4;

    /// @param baseline  empty where it does not place
    /// @param longest   positions that a prefill is padded to
    public static RunMemory of(ModelInspection model, Optional<Deployment> baseline, int positions, int longest) {
        ModelConfig config = model.description().config();
        int prompt = Math.min(positions, longest);
        long always = JAVA + model.stored().bytes() + model.stored().roundedBytes();
        ReferenceMemory reference = ReferenceMemory.of(config, prompt, positions);
        Optional<PlanMemory> npu = baseline.map(plan -> PlanMemory.of(plan, config, prompt, positions));
        return new RunMemory(positions, always + reference.cache() + HEAP_BY_LIVE * reference.pass(), npu.map(plan -> OptionalLong.of(
                always + plan.buffers() + plan.cache() + HEAP_BY_LIVE * plan.values())).orElse(OptionalLong.empty()));
    }
}
