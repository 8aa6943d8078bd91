package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Prefill with FlashAttention, on small models with heads of 64 and of 128.
class PrefillAttentionTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());
    private static final String HEADS_OF_64 = """
            "hidden_size": 128, "intermediate_size": 320, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64,
            "vocab_size": 100""";
    private static final String HEADS_OF_128 = """
            "hidden_size": 192, "intermediate_size": 320, "num_hidden_layers": 2, "num_attention_heads": 3, "num_key_value_heads": 1, "head_dim": 128,
            "vocab_size": 100""";
    private static final int[] PROMPT = {3, 10, 5, 22, 77, 60, 2, 9, 41};

    @TempDir Path directory;

    @Test void greedy_ids_are_the_reference_s_with_heads_of_64() {
        try (LanguageModel model = RandomModel.open(directory, "LlamaForCausalLM", "llama", HEADS_OF_64)) {
            assertRight(model);
        }
    }

    @Test void greedy_ids_are_the_reference_s_with_normed_heads_of_128() {
        try (LanguageModel model = RandomModel.open(directory, "Qwen3ForCausalLM", "qwen3", HEADS_OF_128)) {
            assertRight(model);
        }
    }

    @Test void the_real_rows_of_every_layer_are_those_of_the_padded_run() {
        try (LanguageModel model = RandomModel.open(directory, "Qwen2ForCausalLM", "qwen2", HEADS_OF_64)) {
            Deployment plan = DeviceLowering.of(NPU2).baseline(shortened(model), model.config().block());
            SortedMap<String, short[]> real = rows(plan, model, PROMPT);
            SortedMap<String, short[]> padded = rows(plan, model, Arrays.copyOf(PROMPT, 256));
            assertTrue(real.keySet().containsAll(List.of("0 flash_attn attention_head_first", "1 add_ffn x", "0 kv_cache_extract v")), real.keySet().toString());
            assertEquals(real.keySet(), padded.keySet());
            real.forEach((name, values) -> assertArrayEquals(values, firstPositions(padded.get(name), name, values.length), name));
        }
    }

    @Test void a_prompt_of_more_positions_than_the_plan_is_padded_to_is_refused_and_one_as_long_is_not() {
        try (LanguageModel model = RandomModel.open(directory, "Qwen2ForCausalLM", "qwen2", HEADS_OF_64);
                DeploymentRun run = open(DeviceLowering.of(NPU2).baseline(shortened(model), model.config().block()), model, RunObserver.NONE)) {
            assertEquals("NPF-246 prompt of 257 tokens on the NPU: expected at most 256, to which the plan pads a prefill; try a shorter prompt, "
                    + "or generate with --engine reference", assertThrows(NpuflowException.class, () -> run.prefill(Arrays.copyOf(PROMPT, 257))).getMessage());
            assertEquals(100, run.prefill(Arrays.copyOf(PROMPT, 256)).length);
        }
    }

    /// Built for 256 positions, so that the padded run computes all of them.
    private static ModelShape shortened(LanguageModel model) {
        ModelShape shape = DeviceLowering.of(NPU2).shapeOf(model);
        return new ModelShape(shape.name(), shape.layers(), shape.hiddenSize(), shape.intermediateSize(), shape.heads(), shape.keyValueHeads(),
                shape.headDim(), shape.vocabSize(), shape.tiedHead(), shape.queryKeyValueBias(), shape.queryKeyNorm(), shape.rmsNormEpsilon(), 256);
    }

    private static short[] firstPositions(short[] padded, String name, int elements) {
        if (!name.endsWith("head_first")) {
            return Arrays.copyOf(padded, elements);
        }
        int row = 64;
        int heads = padded.length / 256 / row;
        short[] kept = new short[elements];
        for (int head = 0; head < heads; head++) {
            System.arraycopy(padded, head * 256 * row, kept, head * PROMPT.length * row, PROMPT.length * row);
        }
        return kept;
    }

    /// What each step of the layers has left of the values of that layer, after a prefill.
    private static SortedMap<String, short[]> rows(Deployment plan, LanguageModel model, int[] ids) {
        SortedMap<String, short[]> rows = new TreeMap<>();
        List<String> values = List.of("normed", "q_biased", "k_roped", "v", "q_head_first", "attention_head_first", "attention", "residual", "swiglu", "x");
        try (DeploymentRun run = open(plan, model, (time, now) -> {
            if (time.layer() >= 0) {
                values.forEach(value -> now.find(value).ifPresent(found -> rows.put("%d %s %s".formatted(time.layer(), time.name(), value), found.clone())));
            }
        })) {
            run.prefill(ids);
        }
        return rows;
    }

    private static void assertRight(LanguageModel model) {
        Deployment plan = DeviceLowering.of(NPU2).baseline(model);
        assertTrue(plan.prefill().layer().stream().map(Step::name).toList().contains("flash_attn"));
        try (DeploymentRun run = open(plan, model, RunObserver.NONE); ReferenceEngine reference = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }))) {
            run.preload();
            assertEquals(GreedyDecoder.trace(reference, PROMPT, 8, 5).chosen(), GreedyDecoder.trace(run, PROMPT, 8, 5).chosen());
        }
    }

    private static DeploymentRun open(Deployment plan, LanguageModel model, RunObserver observer) {
        return switch (CompiledDeployment.compile(plan, NPU2)) {
            case CompiledDeployment.Outcome.Compiled(CompiledDeployment compiled) -> new DeploymentRun(compiled, model, new LaunchClock(), observer);
            case CompiledDeployment.Outcome.Blocked blocked -> throw new AssertionError(blocked.blockers().toString());
        };
    }
}
