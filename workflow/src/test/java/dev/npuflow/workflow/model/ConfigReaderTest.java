package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {

    @TempDir Path directory;

    private ModelDescription read(String changes) {
        return new ModelFolder(directory).config(changes.replace('\'', '"')).read();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'architectures':['MixtralForCausalLM'],'num_local_experts':8|architecture MixtralForCausalLM; mixture of experts (MoE: num_local_experts 8)",
            "'architectures':['Qwen3MoeForCausalLM']|mixture of experts (MoE)",
            "'architectures':['DeepseekV3ForCausalLM'],'kv_lora_rank':512,'n_routed_experts':256|multi-head latent attention (MLA: kv_lora_rank 512)",
            "'architectures':['T5ForConditionalGeneration'],'is_encoder_decoder':true|encoder-decoder",
            "'architectures':['MistralForCausalLM'],'sliding_window':128|sliding window attention in use (sliding_window 128)",
            "'architectures':['Qwen2ForCausalLM'],'sliding_window':128,'use_sliding_window':true,'max_window_layers':0|sliding window attention in use",
            "'layer_types':['sliding_attention'],'sliding_window':8|layer type sliding_attention",
            "'layer_types':['linear_attention']|layer type linear_attention",
            "'quantization_config':{'quant_method':'gptq'}|quantized weights (quantization_config gptq)",
            "'hidden_act':'gelu'|hidden_act gelu", "'mlp_bias':true|mlp_bias (a bias on gate, up and down)",
            "'attention_bias':true,'mlp_bias':true|mlp_bias",
            "'rope_scaling':{'type':'mrope'}|rope scaling type mrope", "'rope_parameters':{'full_attention':{'rope_type':'default'}}|differ by layer type",
            "'architectures':['GPT2LMHeadModel']|architecture GPT2LMHeadModel"})
    void what_would_be_computed_wrongly_is_refused_by_name(String changes, String reason) {
        ModelDescription model = read("{" + changes + "}");
        assertFalse(model.supported());
        assertTrue(model.reason().contains(reason), model.reason());
        NpuflowException refused = assertThrows(NpuflowException.class, model::config);
        assertEquals("NPF-110", refused.id());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"'architectures':['MistralForCausalLM'],'sliding_window':null", "'architectures':['MistralForCausalLM']",
            "'architectures':['MistralForCausalLM'],'sliding_window':256", "'num_local_experts':0", "'quantization_config':null", "'rope_scaling':null",
            "'architectures':['Qwen2ForCausalLM'],'sliding_window':128,'use_sliding_window':false",
            "'architectures':['Qwen2ForCausalLM'],'sliding_window':128,'use_sliding_window':true,'max_window_layers':1",
            "'layer_types':['full_attention']", "'attention_bias':false", "'attention_bias':true", "'architectures':['Qwen3ForCausalLM'],'attention_bias':true", "'architectures':null", "'hidden_act':'swish'"})
    void a_switch_that_is_off_does_not_refuse(String changes) {
        ModelDescription model = read("{" + changes + "}");
        assertTrue(model.supported(), model.reason());
        assertEquals(64, model.config().hiddenSize());
    }

    /// modeling_llama.py and modeling_qwen3.py ask `attention_bias`; modeling_qwen2.py and modeling_mistral.py do not.
    @ParameterizedTest @CsvSource({"Llama, true, true, true", "Llama, false, false, false", "Qwen3, true, true, true", "Qwen3, false, false, false",
            "Qwen2, true, true, false", "Qwen2, false, true, false", "Mistral, true, false, false"})
    void attention_bias_is_a_bias_on_all_four_projections_where_the_family_knows_it(String family, boolean asked, boolean inputs, boolean output) {
        ModelConfig config = read("{'architectures':['%sForCausalLM'],'attention_bias':%b}".formatted(family, asked)).config();
        assertEquals(List.of(inputs, output), List.of(config.block().hasInputBias(), config.block().hasOutputBias()));
        assertEquals(List.of(inputs, inputs, inputs, output), Stream.of("q", "k", "v", "o")
                .map(projection -> TensorShapes.of(config).containsKey("model.layers.0.self_attn.%s_proj.bias".formatted(projection))).toList());
        assertFalse(TensorShapes.of(config).containsKey("model.layers.0.mlp.down_proj.bias"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{\"hidden_size\": 3|it ends too early, line 1", "{\"a\": 1, \"a\": 2}|field a stands twice, line 1", "{\"a\": tru}|an unexpected character or word, line 1",
            "{\"a\": NaN}|an unexpected character or word, line 1", "{'a': 1}|an unexpected character or word, line 1, column 2", "{} {}|something stands behind its end"})
    void a_file_that_is_no_json_is_told_where_in_words_for_people(String text, String reason) {
        ModelFolder folder = new ModelFolder(directory).file("config.json", text);
        String message = assertThrows(NpuflowException.class, folder::read).getMessage();
        assertTrue(message.startsWith("NPF-103 config.json is not JSON (" + reason), message);
        assertTrue(message.endsWith("): expected one JSON object; try downloading it again"), message);
        assertFalse(message.matches("(?s).*(Source|Feature|Object property|token|CTRL-CHAR|\\(code).*"), message);
    }

    @Test void the_limits_of_the_parser_are_no_business_of_a_user() {
        ModelFolder deep = new ModelFolder(directory).file("config.json", "[".repeat(2000));
        assertEquals("NPF-103 config.json is not JSON (nested too deep, or a name or number too long): expected one JSON object; try downloading it again",
                assertThrows(NpuflowException.class, deep::read).getMessage());
        ModelFolder latin = new ModelFolder(directory).file("config.json", new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'});
        assertTrue(assertThrows(NpuflowException.class, latin::read).getMessage().startsWith("NPF-103 config.json is not JSON (not UTF-8"));
    }

    @Test void an_unsupported_model_tells_what_it_can_and_takes_foreign_fields_for_absent() {
        ModelDescription model = read("{'architectures':['OpenELMForCausalLM'],'num_attention_heads':[4,8],'intermediate_size':null}");
        assertEquals(OptionalInt.empty(), model.heads());
        assertEquals(OptionalInt.empty(), model.intermediateSize());
        assertEquals(OptionalInt.of(64), model.hiddenSize());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'hidden_size':'wide'|NPF-105 config.json: field hidden_size (\"wide\")", "'hidden_size':-64|field hidden_size (-64)",
            "'hidden_size':64.5|field hidden_size (64.5)", "'hidden_size':1e300|field hidden_size", "'vocab_size':2147483647|field vocab_size",
            "'num_hidden_layers':0|field num_hidden_layers (0)", "'num_hidden_layers':null|num_hidden_layers is missing",
            "'num_key_value_heads':3|num_key_value_heads (3): expected a divisor of num_attention_heads 4",
            "'num_attention_heads':5|num_attention_heads (5): expected a divisor of hidden_size 64", "'tie_word_embeddings':'yes'|field tie_word_embeddings",
            "'eos_token_id':'</s>'|field eos_token_id", "'eos_token_id':[1,null]|field eos_token_id", "'head_dim':15|partial_rotary_factor",
            "'partial_rotary_factor':1.5|partial_rotary_factor (1.5)", "'rope_theta':-1|rope_theta (-1)", "'architectures':[3]|field architectures"})
    void a_field_that_cannot_be_is_refused_with_its_value(String changes, String told) {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> read("{" + changes + "}"));
        assertTrue(refused.getMessage().contains(told), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"{\"hidden_size\": 64|NPF-103", "[]|NPF-103", "{} {}|NPF-103",
            "{\"a\":1,\"a\":2}|NPF-103", "<!DOCTYPE html><html>|NPF-106", "version https://git-lfs.github.com/spec/v1|NPF-106"})
    void a_configuration_that_is_something_else_is_named_in_one_line(String text, String id) {
        ModelFolder folder = new ModelFolder(directory).file("config.json", text);
        NpuflowException refused = assertThrows(NpuflowException.class, folder::read);
        assertEquals(id, refused.id());
        assertTrue(refused.getMessage().contains("config.json") && refused.getMessage().lines().count() == 1, refused.getMessage());
    }

    @Test void a_configuration_nested_without_end_is_refused() {
        ModelFolder folder = new ModelFolder(directory).file("config.json", "{\"a\":" + "[".repeat(100_000));
        assertEquals("NPF-103", assertThrows(NpuflowException.class, folder::read).id());
    }

    @Test void a_directory_without_a_configuration_is_refused() {
        assertEquals("NPF-101", assertThrows(NpuflowException.class, () -> new ModelFolder(directory).read()).id());
        assertEquals("NPF-100", assertThrows(NpuflowException.class, () -> new ModelFolder(directory.resolve("none")).read()).id());
    }

    @Test void a_broken_generation_configuration_is_named_and_not_passed_over() {
        ModelFolder folder = new ModelFolder(directory).config("{}").file("generation_config.json", "{\"eos_token_id\": ");
        NpuflowException refused = assertThrows(NpuflowException.class, folder::read);
        assertTrue(refused.getMessage().contains("generation_config.json"), refused.getMessage());
    }

    @Test void fields_left_out_mean_what_their_class_takes() {
        assertEquals(4, new ModelFolder(directory).without("num_key_value_heads").read().config().keyValueHeads());
        assertFalse(new ModelFolder(directory).without("tie_word_embeddings").read().config().tiedHead());
        assertEquals(2048, new ModelFolder(directory).without("max_position_embeddings").read().config().maximumPositions());
        assertEquals(128, read("{'architectures':['Qwen3ForCausalLM']}").config().headDim());
        assertEquals(16, read("{'architectures':['Qwen3ForCausalLM'],'head_dim':null}").config().headDim());
    }
}
