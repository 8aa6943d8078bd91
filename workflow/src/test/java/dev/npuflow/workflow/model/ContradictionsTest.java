package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Fields of a configuration that say different things.
class ContradictionsTest {

    @TempDir Path directory;

    private ModelDescription read(String changes) {
        return new ModelFolder(directory).config("{%s}".formatted(changes).replace('\'', '"')).read();
    }

    /// e21: as a Llama it would run without the window, and give other tokens without a word.
    @Test void model_type_decides_and_what_architectures_says_is_told() {
        ModelDescription model = ConfigReader.read(Cases.folder("e21/llama_class_mistral_type"));
        assertEquals("MistralForCausalLM", model.architecture());
        assertEquals("sliding window attention in use (sliding_window 4)", model.reason());
        String told = "architectures says LlamaForCausalLM, model_type says mistral: the model is taken for a MistralForCausalLM, as transformers goes by model_type";
        assertEquals(List.of(told), model.warnings());
        String refused = assertThrows(NpuflowException.class, model::config).getMessage();
        assertTrue(refused.startsWith("NPF-110 config.json: MistralForCausalLM is not supported (sliding window") && refused.contains(told), refused);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'architectures':['LlamaForCausalLM'],'model_type':'qwen3'|Qwen3ForCausalLM|1", "'architectures':['Qwen3ForCausalLM'],'model_type':'llama'|LlamaForCausalLM|1",
            "'architectures':['LlamaForCausalLM','MistralForCausalLM'],'model_type':'llama'|LlamaForCausalLM|1",
            "'architectures':['MistralForCausalLM','LlamaForCausalLM'],'model_type':'llama'|LlamaForCausalLM|1",
            "'architectures':['LlamaForCausalLM','MistralForCausalLM']|LlamaForCausalLM|1",
            "'architectures':['LlamaForCausalLM','LlamaForCausalLM']|LlamaForCausalLM|0",
            "'architectures':['LlamaForCausalLM'],'model_type':'llama'|LlamaForCausalLM|0", "'architectures':['Qwen2ForCausalLM']|Qwen2ForCausalLM|0",
            "'architectures':[],'model_type':'mistral'|MistralForCausalLM|0", "'architectures':null,'model_type':'qwen2'|Qwen2ForCausalLM|0"})
    void the_class_is_that_of_model_type_and_only_a_contradiction_is_told(String changes, String taken, int warnings) {
        ModelDescription model = read(changes + ",'num_key_value_heads':2");
        assertEquals(taken, model.architecture());
        assertTrue(model.supported(), model.reason());
        assertEquals(warnings, model.warnings().size(), model.warnings().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'architectures':['LlamaForCausalLM'],'model_type':'mixtral'|LlamaForCausalLM|model_type mixtral, which is no LlamaForCausalLM",
            "'architectures':['LlamaForSequenceClassification'],'model_type':'llama'|LlamaForSequenceClassification|architecture LlamaForSequenceClassification",
            "'architectures':null,'model_type':'phi3'|phi3|architecture phi3"})
    void a_class_that_is_not_in_scope_by_one_of_the_fields_is_refused(String changes, String architecture, String reason) {
        ModelDescription model = read(changes);
        assertEquals(architecture, model.architecture());
        assertEquals(reason, model.reason());
        assertFalse(model.supported());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'rope_scaling':{'type':'linear','factor':2.0},'rope_parameters':{'rope_type':'linear','factor':4.0}|rope_scaling and rope_parameters say different things: rope_scaling is taken",
            "'rope_scaling':{'type':'linear','factor':2.0},'rope_parameters':{'rope_type':'dynamic','factor':2.0}|rope_scaling and rope_parameters say different things",
            "'rope_parameters':{'rope_type':'default','rope_theta':500000.0}|rope_theta is 500000.0 in the rope scaling and 10000.0 beside it: the one in the scaling is taken",
            "'partial_rotary_factor':0.5,'rope_parameters':{'rope_type':'default','partial_rotary_factor':1.0}|partial_rotary_factor is 1.0 in the rope scaling and 0.5 beside it",
            "'original_max_position_embeddings':64,'rope_scaling':{'type':'yarn','factor':4.0,'original_max_position_embeddings':128}"
                    + "|original_max_position_embeddings is 128 in the rope scaling and 64 beside it: the one beside it is taken",
            "'rope_scaling':{'type':'linear','rope_type':'dynamic','factor':2.0}|type linear and rope_type dynamic: rope_type is taken",
            "'rope_scaling':{'factor':4.0}|the rope scaling has a factor and no type: nothing is scaled",
            "'rope_scaling':{'type':'default','factor':4.0}|the rope scaling has a factor and the type default: nothing is scaled",
            "'rope_parameters':{'low_freq_factor':1.0,'rope_theta':10000.0}|the rope scaling has a low_freq_factor and no type"})
    void rope_fields_that_say_different_things_are_told(String changes, String told) {
        List<String> warnings = read(changes).warnings();
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.getFirst().contains(told), warnings.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"'rope_scaling':null", "'rope_scaling':{'type':'linear','factor':2.0}", "'rope_scaling':{'type':'linear','rope_type':'linear','factor':2}",
            "'rope_scaling':{'type':'su','rope_type':'longrope','short_factor':[1,1,1,1,1,1,1,1],'long_factor':[1,1,1,1,1,1,1,1]}",
            "'rope_scaling':{'type':'linear','factor':2.0},'rope_parameters':{'rope_type':'linear','factor':2}",
            "'rope_parameters':{'rope_type':'default','rope_theta':10000}", "'rope_scaling':{},'rope_parameters':{'rope_type':'linear','factor':2,'rope_theta':10000}"})
    void rope_fields_that_agree_are_not(String changes) {
        assertEquals(List.of(), read(changes).warnings());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "'rope_base':500000|rope_theta is missing: 10000 is taken, the default of its class, although there is a rope_base",
            "'rope_scaling':{'type':'linear','factor':2.0}|rope_theta is missing: 10000 is taken, the default of its class, although the file speaks of rope scaling"})
    void a_base_that_is_missing_beside_other_rope_fields_is_told(String changes, String told) {
        ModelFolder folder = new ModelFolder(directory).config("{%s}".formatted(changes).replace('\'', '"'));
        assertEquals(List.of(), folder.read().warnings());
        List<String> warnings = folder.remove("rope_theta").read().warnings();
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.getFirst().startsWith(told), warnings.toString());
    }

    @Test void a_base_that_is_missing_alone_is_its_class_s_and_no_contradiction() {
        ModelDescription model = new ModelFolder(directory).without("rope_theta").read();
        assertEquals(List.of(), model.warnings());
        assertEquals(10_000, model.config().rope().theta());
    }

    @Test void layer_types_for_another_number_of_layers_are_refused() {
        String refused = assertThrows(NpuflowException.class, () -> read("'layer_types':['full_attention','full_attention']")).getMessage();
        assertTrue(refused.startsWith("NPF-112 config.json: layer_types (2 layers): expected a type for each of the 1 layers of num_hidden_layers"), refused);
    }

    @Test void key_value_heads_that_only_the_class_names_are_called_so_where_they_do_not_fit() {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> new ModelFolder(directory).config("{\"architectures\":[\"MistralForCausalLM\"]}")
                .remove("num_key_value_heads").read());
        assertTrue(refused.getMessage().contains("num_key_value_heads (8, which the class takes where the field is missing): expected a divisor of"), refused.getMessage());
    }

    @ParameterizedTest @ValueSource(strings = {"0", "-1", "\"wide\"", "2.5"}) void a_window_that_is_no_size_is_not_passed_over(String window) {
        ModelDescription model = read("'architectures':['MistralForCausalLM'],'sliding_window':" + window);
        assertEquals("sliding window attention in use (sliding_window %s)".formatted(window), model.reason());
        assertTrue(read("'sliding_window':" + window).supported());
    }
}
