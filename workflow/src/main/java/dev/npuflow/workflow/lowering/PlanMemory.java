package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a simulated run of a plan holds in the host's memory, by what [DeploymentRun] allocates. Mapped weights are shared by both sides of their
/// buffer objects and not counted here.
///
/// @param buffers bytes outside Java's heap: both sides of the buffer objects, as far as they are touched, and weights that had to be copied
/// @param cache   bytes of keys and values, on the heap
/// @param values  bytes of the values that the steps of a prefill hand to each other, on the heap
public record PlanMemory(long buffers, long cache, long values) {

    private static final int SMALLEST_CACHE = 64;
    private static final int BF16 = Short.BYTES;
    /// A buffer object takes memory in blocks.
    private static final long BLOCK = 64 << 10;

    /// @param config    of the model as it is, before it is widened for the plan
    /// @param prompt    positions read at once
    /// @param positions of the whole text
    public static PlanMemory of(Deployment deployment, ModelConfig config, int prompt, int positions) {
        long buffers = widened(deployment.model(), config);
        Map<String, Long> values = new TreeMap<>();
        for (Phase phase : Phase.values()) {
            int active = phase == Phase.PREFILL ? prompt : 1;
            PhasePlan plan = deployment.phase(phase);
            buffers += inSection(plan.prologue(), 1, active, config, values) + inSection(plan.layer(), config.layers(), active, config, values)
                    + inSection(plan.epilogue(), 1, active, config, values);
        }
        long rows = Math.max(SMALLEST_CACHE, Integer.highestOneBit(Math.max(1, positions - 1)) * 2L);
        long cache = 2L * config.layers() * config.keyValueDim() * BF16 * rows;
        return new PlanMemory(buffers, cache, values.values().stream().mapToLong(Long::longValue).sum());
    }

    private static long inSection(List<Step> steps, int layers, int active, ModelConfig config, Map<String, Long> values) {
        long bytes = 0;
        for (Step step : steps) {
            if (step instanceof NpuCall call) {
                int keys = call.bufferKey() == BufferKey.PER_LAYER ? layers : 1;
                for (Argument argument : call.arguments()) {
                    long touched = CallRunner.activeElements(call, argument, active) * argument.dataType().bytes();
                    note(argument, touched, values);
                    bytes += switch (argument.source()) {
                        case Source.Weight weight -> filledUp(weight, config);
                        case Source.InterleavedWeights _ -> layers * argument.bytes();
                        case Source.Activation _, Source.LookUpTable _, Source.Scratch _, Source.Packed _ ->
                                keys * sides(argument) * blocks(touched, argument);
                    };
                }
            }
        }
        return bytes;
    }

    private static void note(Argument argument, long bytes, Map<String, Long> values) {
        switch (argument.source()) {
            case Source.Activation(String value) -> values.merge(value, bytes, Math::max);
            case Source.LookUpTable(String value) -> values.merge(value, bytes, Math::max);
            case Source.Weight _, Source.InterleavedWeights _, Source.Scratch _, Source.Packed _ -> { }
        }
    }

    /// What the host neither writes on every call nor reads back lies on the device alone.
    private static int sides(Argument argument) {
        return argument.transfer() == Transfer.EVERY_CALL || argument.readBack() ? 2 : 1;
    }

    private static long blocks(long touched, Argument argument) {
        return Math.min(Math.ceilDiv(touched, BLOCK) * BLOCK, argument.bytes());
    }

    /// Rows beyond the end of a vocabulary are zeros in a copy.
    private static long filledUp(Source.Weight weight, ModelConfig config) {
        return weight.tensor().equals("lm_head.weight") && weight.firstRow() + weight.rows() > config.vocabSize()
                ? (long) weight.rows() * config.hiddenSize() * BF16 : 0;
    }

    /// A model whose widths do not fit has its wide projections copied with zeros between.
    private static long widened(ModelShape plan, ModelConfig config) {
        return plan.heads() == config.heads() && plan.intermediateSize() == config.intermediateSize() ? 0 : (2L * plan.queryDim() + 3L * plan.intermediateSize()) * config.hiddenSize() * config.layers() * BF16;
    }
}
