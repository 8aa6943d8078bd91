package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.ModelConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredSourcesTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());
    private static final ModelConfig LLAMA = config("llama32_1b");
    private static final Deployment PLAN = DeviceLowering.of(NPU2).baseline("llama32_1b", LLAMA);

    /// 512 rows of 2048: Llama-3.2-1B has 8 KV heads of 64.
    private static final Source.Weight KEY = new Source.Weight("model.layers.{layer}.self_attn.k_proj.weight", 0, 512);

    private static ModelConfig config(String model) {
        return ConfigReader.read(Path.of("src/test/resources/configs", model)).config();
    }

    @ParameterizedTest @ValueSource(strings = {"llama32_1b", "llama32_3b", "smollm2_1_7b", "qwen25_0_5b", "qwen25_1_5b", "qwen25_3b", "qwen3_0_6b", "qwen3_1_7b", "qwen3_4b"})
    void baselines_say_what_is_true(String model) {
        ModelConfig config = config(model);
        assertEquals(List.of(), DeclaredSources.untrue(DeviceLowering.of(NPU2).baseline(model, config), config));
    }

    /// As many rows as before in each case but the last, so that the argument is filled all the same.
    @ParameterizedTest @CsvSource(delimiter = '|', value = {"k_proj | 1 | 512 | rows 1 to 513 of tensor", "k_proj | 2147483000 | 512 | which has 512", "kk_proj | 0 | 512 | there is no tensor",
        "k_proj | 0 | 511 | 1048576 elements of bf16 from weights that have 1046528 of bf16"})
    void a_weight_is_one_of_the_models_and_fills_its_argument(String projection, int firstRow, int rows, String told) {
        assertTold(told, keyFrom(new Source.Weight(KEY.tensor().replace("k_proj", projection), firstRow, rows), DataType.BF16));
    }

    @Test void a_tensor_of_the_same_size_is_not_told() {
        assertEquals(List.of(), DeclaredSources.untrue(keyFrom(new Source.Weight(KEY.tensor().replace("k_proj", "v_proj"), 0, 512), DataType.BF16), LLAMA));
    }

    @Test void a_weight_has_the_type_that_it_is_stored_in() {
        assertTold("of f32 from weights", keyFrom(KEY, DataType.F32));
    }

    @Test void weights_that_alternate_are_there_and_have_as_many_rows_each() {
        assertTold("it interleaves no weight", keyFrom(new Source.InterleavedWeights(List.of()), DataType.BF16));
        Source.Weight half = new Source.Weight(KEY.tensor(), 0, 256);
        assertEquals(List.of(), DeclaredSources.untrue(keyFrom(new Source.InterleavedWeights(List.of(half, half)), DataType.BF16), LLAMA));
        assertTold("rows 0 to 255 of tensor", keyFrom(new Source.InterleavedWeights(List.of(new Source.Weight(KEY.tensor(), 0, 257), new Source.Weight(KEY.tensor(), 0, 255))), DataType.BF16));
    }

    @Test void a_table_has_the_models_rows_and_columns() {
        assertTold("tensor model.norm.weight is 1 × 2048, not 128256 × 2048", host(Phase.DECODE, HostKind.EMBED, "table", "model.norm.weight"));
    }

    @ParameterizedTest @EnumSource(Phase.class) void the_ids_are_those_of_the_phase(Phase phase) {
        assertTold("it embeds the ids", host(phase, HostKind.EMBED, "ids", phase == Phase.DECODE ? "prompt" : "token"));
    }

    /// Both attentions give the same bits, and that of a prefill was timed for one key.
    @Test void the_attention_of_a_prefill_is_none_of_a_token_nor_the_other_way_round() {
        assertTold("DECODE_ATTENTION is no operation of this phase", host(Phase.PREFILL, HostKind.KV_CACHE_EXTRACT,
                op -> new HostOp(op.name(), HostKind.DECODE_ATTENTION, op.inputs(), op.outputs(), op.shape(), op.options())));
        assertTold("PREFILL_ATTENTION is no operation of this phase",
                host(Phase.DECODE, HostKind.DECODE_ATTENTION, op -> new HostOp(op.name(), HostKind.PREFILL_ATTENTION, op.inputs(), op.outputs(), op.shape(), op.options())));
    }

    @Test void an_operation_has_the_inputs_outputs_and_options_of_its_kind() {
        assertTold("its inputs are", host(Phase.DECODE, HostKind.EMBED, "more", "x"));
        assertTold("it has no option layout = seq_first", host(Phase.DECODE, HostKind.EMBED, op -> op.withOptions(new TreeMap<>(Map.of("layout", "seq_first")))));
        assertTold("its outputs are", host(Phase.DECODE, HostKind.EMBED, op -> new HostOp(op.name(), op.kind(), op.inputs(), new TreeMap<>(), op.shape(), op.options())));
    }

    private static void assertTold(String text, Deployment plan) {
        List<Blocker> told = DeclaredSources.untrue(plan, LLAMA);
        assertTrue(told.stream().anyMatch(blocker -> blocker.message().contains(text)), told::toString);
        assertTrue(told.stream().allMatch(blocker -> blocker.limit().equals(DeclaredSources.LIMIT)), told::toString);
    }

    private static Deployment keyFrom(Source source, DataType type) {
        Deployment changed = PLAN.mapCalls(Phase.DECODE, call -> call.mapArguments(argument -> argument.source().equals(KEY)
                ? new Argument(argument.name(), argument.shape(), type, source, argument.transfer(), argument.readBack()) : argument));
        assertFalse(changed.equals(PLAN) && !source.equals(KEY), "no argument takes the key's weight");
        return changed;
    }

    private static Deployment host(Phase phase, HostKind kind, String input, String value) {
        return host(phase, kind, op -> {
            TreeMap<String, String> inputs = new TreeMap<>(op.inputs());
            inputs.put(input, value);
            return op.withInputs(inputs);
        });
    }

    private static Deployment host(Phase phase, HostKind kind, UnaryOperator<HostOp> change) {
        UnaryOperator<List<Step>> replaced = steps -> steps.stream().map(step -> step instanceof HostOp op && op.kind() == kind ? (Step) change.apply(op) : step).toList();
        return PLAN.withPhase(phase, PLAN.phase(phase).mapSections(replaced));
    }
}
