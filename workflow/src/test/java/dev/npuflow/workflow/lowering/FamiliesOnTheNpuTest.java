package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Llama, Qwen2 and Qwen3 on the NPU: every published shape compiles, and small models give the right tokens.
class FamiliesOnTheNpuTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    private static final String SHAPE = """
            "hidden_size": 128, "intermediate_size": 320, "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 32,
            "vocab_size": 100""";

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"llama32_1b", "llama32_3b", "smollm2_1_7b", "qwen25_0_5b", "qwen25_1_5b", "qwen25_3b", "qwen3_0_6b", "qwen3_1_7b", "qwen3_4b"})
    void every_model_directory_compiles_and_its_head_has_only_real_rows(String model) {
        Path place = Path.of(System.getProperty("npuflow.root")).resolve("programming_examples/llms").resolve(model);
        ModelConfig config = ConfigReader.read(place).config();
        Deployment plan = DeviceLowering.of(NPU2).baseline(model, config);
        assertEquals(List.of(), CompiledDeployment.compile(plan, NPU2) instanceof CompiledDeployment.Outcome.Blocked blocked ? blocked.blockers() : List.of());
        for (var phase : List.of(plan.prefill(), plan.decode())) {
            assertEquals(config.vocabSize(), phase.epilogue().stream().filter(NpuCall.class::isInstance).map(NpuCall.class::cast)
                    .mapToInt(call -> call.launches().getFirst().shape().get("m")).sum());
        }
    }

    /// Their right ids come from a float64 recomputation without a KV cache.
    @ParameterizedTest
    @ValueSource(strings = {"a07/explicit_32", "a07/null_means_derived", "a18/qwen3", "a01/tiny", "e04/flat_tied", "attention_bias/llama", "attention_bias/qwen3", "olmo2/tiny",
            "e05/prompt_beyond_original"})
    void a_small_model_s_greedy_ids_are_the_right_ones(String variant) {
        JsonNode expected = Cases.expected(variant.split("/")[0]).get(variant.split("/")[1]);
        try (LanguageModel model = LanguageModels.open(Cases.folder(variant), OpenOptions.cachingIn(directory))) {
            List<Integer> right = expected.get("greedy_ids").valueStream().map(JsonNode::asInt).toList();
            assertEquals(right, onTheNpu(model, ids(expected), right.size()).chosen());
        }
    }

    @Test void qwen2_adds_its_bias_as_the_reference_does_and_without_it_the_tokens_are_others() {
        int[] prompt = {3, 10, 5, 22};
        try (LanguageModel model = RandomModel.open(directory.resolve("qwen2"), "Qwen2ForCausalLM", "qwen2", SHAPE);
                LanguageModel unbiased = RandomModel.open(directory.resolve("llama"), "LlamaForCausalLM", "llama", SHAPE);
                ReferenceEngine reference = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }))) {
            TokenTrace right = GreedyDecoder.trace(reference, prompt, 8, 5);
            assertEquals(right.chosen(), onTheNpu(model, prompt, 8).chosen());
            assertNotEquals(right.chosen(), onTheNpu(unbiased, prompt, 8).chosen());
        }
    }

    /// 2 groups of 3 heads of 16 and a feed-forward of 100: 96 and 100 are no multiples of 64.
    @Test void odd_widths_are_padded_inside_each_group_and_change_no_token() {
        int[] prompt = {3, 10, 5, 22};
        String shape = """
                "hidden_size": 64, "intermediate_size": 100, "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 16,
                "vocab_size": 100""";
        try (LanguageModel model = RandomModel.open(directory, "Qwen2ForCausalLM", "qwen2", shape);
                ReferenceEngine reference = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }))) {
            assertEquals(8, DeviceLowering.of(NPU2).shapeOf(model).heads());
            assertEquals(128, DeviceLowering.of(NPU2).shapeOf(model).intermediateSize());
            assertEquals(GreedyDecoder.trace(reference, prompt, 8, 5).chosen(), onTheNpu(model, prompt, 8).chosen());
        }
    }

    /// Phantom heads would have a part in the mean; channels of the feed-forward have none.
    @Test void an_odd_query_width_that_is_normed_whole_is_refused_and_an_odd_feed_forward_is_padded() {
        String heads = """
                "hidden_size": 64, "intermediate_size": 100, "num_hidden_layers": 2, "num_attention_heads": %d, "num_key_value_heads": 2, "head_dim": 16,
                "vocab_size": 100""";
        try (LanguageModel odd = RandomModel.open(directory.resolve("odd"), "Olmo2ForCausalLM", "olmo2", heads.formatted(6))) {
            assertEquals("NPF-202", assertThrows(NpuflowException.class, () -> onTheNpu(odd, new int[] {3}, 1)).id());
        }
        int[] prompt = {3, 10, 5, 22};
        try (LanguageModel even = RandomModel.open(directory.resolve("even"), "Olmo2ForCausalLM", "olmo2", heads.formatted(4));
                ReferenceEngine reference = new ReferenceEngine(even, ReferenceOptions.defaults(_ -> { }))) {
            assertEquals(128, DeviceLowering.of(NPU2).shapeOf(even).intermediateSize());
            assertEquals(GreedyDecoder.trace(reference, prompt, 8, 5).chosen(), onTheNpu(even, prompt, 8).chosen());
        }
    }

    @Test void even_widths_are_left_as_they_are() {
        try (LanguageModel model = RandomModel.open(directory, "LlamaForCausalLM", "llama", SHAPE)) {
            assertSame(model, PaddedModel.of(model, DeviceLowering.of(NPU2).shapeOf(model)));
        }
    }

    /// A fine-tuned model with one token more than its base has such a vocabulary, 32,001 for one.
    @Test void rows_that_fill_up_an_odd_vocabulary_give_no_logits() {
        int[] prompt = {3, 10, 5, 22};
        try (LanguageModel model = RandomModel.open(directory, "LlamaForCausalLM", "llama", SHAPE.replace("100", "33"));
                ReferenceEngine reference = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }))) {
            assertEquals(64, headRows(model));
            float[] right = reference.prefill(prompt);
            float[] npu = logits(model, prompt);
            assertEquals(33, npu.length);
            assertArrayEquals(right, npu, 0.2f, "of logits as large as %.1f".formatted(IntStream.range(0, 33).mapToDouble(i -> right[i]).max().orElseThrow()));
        }
    }

    @ParameterizedTest @ValueSource(ints = {32, 48, 144}) void a_vocabulary_that_eight_columns_share_evenly_gets_no_rows(int vocabulary) {
        try (LanguageModel model = RandomModel.open(directory, "LlamaForCausalLM", "llama", SHAPE.replace("100", "" + vocabulary))) {
            assertEquals(vocabulary, headRows(model));
        }
    }

    private static int headRows(LanguageModel model) {
        Deployment plan = DeviceLowering.of(NPU2).baseline(model);
        return plan.decode().epilogue().stream().filter(NpuCall.class::isInstance).map(NpuCall.class::cast)
                .mapToInt(call -> call.launches().getFirst().shape().get("m")).sum();
    }

    private static float[] logits(LanguageModel model, int[] prompt) {
        Deployment plan = DeviceLowering.of(NPU2).baseline(model);
        CompiledDeployment compiled = ((CompiledDeployment.Outcome.Compiled) CompiledDeployment.compile(plan, NPU2)).deployment();
        try (DeploymentRun run = new DeploymentRun(compiled, model, new LaunchClock(), RunObserver.NONE)) {
            run.preload();
            return run.prefill(prompt);
        }
    }

    private static int[] ids(JsonNode expected) {
        return expected.get("prompt_ids").valueStream().mapToInt(JsonNode::asInt).toArray();
    }

    private static TokenTrace onTheNpu(LanguageModel model, int[] prompt, int tokens) {
        Deployment plan = DeviceLowering.of(NPU2).baseline(model);
        CompiledDeployment compiled = ((CompiledDeployment.Outcome.Compiled) CompiledDeployment.compile(plan, NPU2)).deployment();
        try (DeploymentRun run = new DeploymentRun(compiled, model, new LaunchClock(), RunObserver.NONE)) {
            run.preload();
            return GreedyDecoder.trace(run, prompt, tokens, 5);
        }
    }
}
