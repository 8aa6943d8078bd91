package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class InspectCommandTest {

    private String message = "";

    private String run(int code, Object command, String... arguments) {
        StringWriter out = new StringWriter();
        CommandLine line = new CommandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(new StringWriter()));
        line.setExecutionExceptionHandler((failure, at, parsed) -> {
            if (failure instanceof NpuflowException fault) {
                message = fault.getMessage();
                return fault.exitCode().code();
            }
            throw failure;
        });
        assertEquals(code, line.execute(arguments), message);
        return out.toString();
    }

    private JsonNode inspect(String variant, String... more) {
        String[] arguments = new String[more.length + 2];
        arguments[0] = Cases.folder(variant).toString();
        arguments[1] = "--json";
        System.arraycopy(more, 0, arguments, 2, more.length);
        return new JsonMapper().readTree(run(0, new InspectCommand(), arguments));
    }

    @Test void a_supported_model_is_told_field_by_field() {
        JsonNode model = inspect("a18/qwen3");
        assertEquals("Qwen3ForCausalLM", model.get("architecture").stringValue());
        assertTrue(model.get("supported").booleanValue() && model.get("reason").isNull());
        assertEquals("2 64 64 4 2 16 32", "%s %s %s %s %s %s %s".formatted(model.get("layers"), model.get("hidden_size"), model.get("intermediate_size"),
                model.get("heads"), model.get("kv_heads"), model.get("head_dim"), model.get("vocab_size")));
        assertFalse(model.get("tied_lm_head").booleanValue() || model.get("qkv_bias").booleanValue());
        assertTrue(model.get("qk_norm").booleanValue());
        assertEquals("[1]", model.get("eos_token_ids").toString());
        assertEquals(0, model.get("bos_token_id").intValue());
        assertEquals("file", model.get("weights").stringValue());
        assertEquals(2 * 11 + 3, model.get("tensor_count").intValue());
        assertEquals(8, model.get("rope").get("inv_freq").size());
    }

    @Test void what_the_npu_cannot_place_is_told_although_the_reference_runs_it(@TempDir Path narrow) throws IOException {
        assertTrue(inspect("a18/qwen3").get("npu").booleanValue() && inspect("a18/qwen3").get("npu_reason").isNull());
        String config = Files.readString(Cases.folder("a01/tiny").resolve("config.json"));
        Files.writeString(narrow.resolve("config.json"), config.replace("\"num_attention_heads\": 4", "\"num_attention_heads\": 8, \"head_dim\": 8"));
        JsonNode model = new JsonMapper().readTree(run(0, new InspectCommand(), narrow.toString(), "--json"));
        assertTrue(model.get("supported").booleanValue());
        assertFalse(model.get("npu").booleanValue());
        assertTrue(model.get("npu_reason").stringValue().contains("NPF-201 k_gemm"), model::toString);
    }

    @Test void a_directory_with_a_configuration_alone_would_get_synthetic_weights() {
        JsonNode model = inspect("a01/full");
        assertEquals("synthetic", model.get("weights").stringValue());
        assertEquals(16 * 9 + 2, model.get("tensor_count").intValue());
        assertEquals(9.41830672543e-08, model.get("rope").get("inv_freq").get(31).doubleValue(), 1e-13);
        assertEquals("[128001,128008,128009]", model.get("eos_token_ids").toString());
    }

    @Test void an_unsupported_architecture_is_an_answer_and_no_fault() {
        JsonNode model = inspect("b02/config_partial_v5", "--context", "4096");
        assertFalse(model.get("supported").booleanValue());
        assertTrue(model.get("reason").stringValue().contains("PhiForCausalLM"));
        assertEquals("none", model.get("weights").stringValue());
        assertTrue(model.get("layers").isNull() && model.get("tied_lm_head").isNull());
        assertEquals(4, model.get("rope").get("inv_freq").size());
    }

    @ParameterizedTest
    @CsvSource({"a06/untied_head_absent,lm_head.weight", "a07/contradicts_tensors,q_proj.weight"})
    void weights_that_contradict_the_configuration_are_a_fault(String variant, String named) {
        run(2, new InspectCommand(), Cases.folder(variant).toString(), "--json");
        assertTrue(message.contains(named), message);
    }

    @Test void a_lone_file_lists_its_tensors_or_is_refused() {
        JsonNode file = new JsonMapper().readTree(run(0, new InspectCommand(), Cases.file("a09/good.safetensors").toString(), "--json"));
        assertEquals(2, file.get("tensors").size());
        assertEquals("[\"BF16\",\"F32\"] 32", "%s %s".formatted(file.get("data_types"), file.get("weight_bytes")));
        assertTrue(run(0, new InspectCommand(), Cases.file("a09/good.safetensors").toString()).endsWith("\n2 tensors of 12 elements, 32 bytes in BF16, F32\n"));
        assertTrue(file.get("tensors").valueStream().anyMatch(tensor -> tensor.get("name").stringValue().equals("lm_head.weight")
                && tensor.get("shape").toString().equals("[2,2]")));
        assertEquals("", run(2, new InspectCommand(), Cases.file("a09/lfs_pointer.safetensors").toString()));
        assertTrue(message.contains("Git LFS pointer"), message);
    }

    @Test void the_numbers_that_one_asks_for_first_are_raw_in_json_and_as_people_write_them_in_text() {
        JsonNode model = new JsonMapper().readTree(run(0, new InspectCommand(), "src/test/resources/configs/llama32_1b", "--json"));
        assertEquals("500000.0 llama3 131072", "%s %s %s".formatted(model.get("rope").get("theta"), model.get("rope").get("type").stringValue(), model.get("positions")));
        assertEquals("1235814400 2471628800 [\"BF16\"]", "%s %s %s".formatted(model.get("parameters"), model.get("weight_bytes"), model.get("data_types")));
        assertTrue(model.get("tokenizer").isNull(), model::toString);
        assertEquals(2048, model.get("memory").get("positions").intValue());
        assertTrue(model.get("memory").get("npu_bytes").longValue() > model.get("weight_bytes").longValue());
        String text = run(0, new InspectCommand(), "src/test/resources/configs/llama32_1b");
        for (String line : List.of("hidden_size        2,048", "positions          131,072", "rope               theta 500,000, scaling llama3, 64 of a head's entries",
                "parameters         1,235,814,400", "weight_size        2.5 GB in BF16", "tokenizer          none")) {
            assertTrue(text.lines().anyMatch(line::equals), text);
        }
        assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
    }

    @Test void what_a_model_does_not_say_is_null() {
        JsonNode foreign = inspect("b02/config_partial");
        assertTrue(foreign.get("parameters").isNull() && foreign.get("memory").isNull(), foreign::toString);
        assertEquals("0 [] 2048", "%s %s %s".formatted(foreign.get("weight_bytes"), foreign.get("data_types"), foreign.get("positions")));
        assertEquals("tokenizer.json", inspect("a18/qwen3").get("tokenizer").stringValue());
    }

    @Test void frequencies_and_memory_are_those_of_the_length_that_is_asked_for() {
        JsonNode near = inspect("e05/prompt_beyond_original", "--context", "16");
        JsonNode far = inspect("e05/prompt_beyond_original", "--context", "17");
        assertEquals("longrope", near.get("rope").get("type").stringValue());
        assertEquals(Math.pow(10_000, -7 / 8.0) / 1.3, near.get("rope").get("inv_freq").get(7).doubleValue(), 1e-9);
        assertEquals(Math.pow(10_000, -7 / 8.0) / 64, far.get("rope").get("inv_freq").get(7).doubleValue(), 1e-9);
        assertEquals(17, far.get("memory").get("positions").intValue());
        assertEquals(64, inspect("rope_by_length/dynamic").get("positions").intValue());
    }

    @Test void a_data_type_that_the_tensors_do_not_have_is_told(@TempDir Path other) throws IOException {
        Files.copy(Cases.file("a18/qwen3/model.safetensors"), other.resolve("model.safetensors"));
        String config = Files.readString(Cases.file("a18/qwen3/config.json"));
        Files.writeString(other.resolve("config.json"), config.replace("\"bfloat16\"", "\"float16\""));
        JsonNode model = new JsonMapper().readTree(run(0, new InspectCommand(), other.toString(), "--json"));
        assertEquals("[\"config.json names the data type F16, the tensors are BF16: what is stored is read\"]", model.get("warnings").toString());
        assertEquals("[]", inspect("a18/qwen3").get("warnings").toString());
    }

    @Test void a_lone_file_that_is_no_safetensors_file_is_recognized() {
        assertEquals("", run(2, new InspectCommand(), Cases.file("a01/tiny/config.json").toString()));
        assertEquals("NPF-106 config.json (looks like a config.json): expected a safetensors file; try the directory that it is in", message);
        assertEquals("", run(2, new InspectCommand(), Cases.file("a01/tiny/tokenizer.json").toString(), "--json"));
        assertTrue(message.contains("looks like a tokenizer.json") && message.endsWith("try npuflow tokenize with this file"), message);
    }

    @Test void a_contradiction_is_told_beside_the_reason() {
        JsonNode model = inspect("e21/llama_class_mistral_type");
        assertEquals("MistralForCausalLM", model.get("architecture").stringValue());
        assertTrue(model.get("reason").stringValue().contains("sliding_window 4"), model::toString);
        assertTrue(model.get("warnings").get(0).stringValue().contains("architectures says LlamaForCausalLM"), model::toString);
    }

    @Test void without_json_the_same_facts_stand_in_lines() {
        String text = run(0, new InspectCommand(), Cases.folder("a06/tied_head_present_different").toString());
        assertTrue(text.contains("hidden_size        64\n") && text.contains("weights            file\n") && text.contains("warning "), text);
    }

    @Test void text_becomes_ids_and_ids_become_text() {
        String folder = Cases.folder("a20/padded").toString();
        JsonMapper mapper = new JsonMapper();
        assertEquals("{\"ids\":[3,10,5,22,14,3,9]}", mapper.readTree(run(0, new TokenizeCommand(), folder, "--text", "ahctlag", "--json")).toString());
        String text = run(0, new TokenizeCommand(), folder, "--ids", "15,35,24,29,35,20,20,20", "--json");
        assertEquals("mv rrr", mapper.readTree(text).get("text").stringValue());
        assertEquals("3,10,5\n", run(0, new TokenizeCommand(), folder, "--text", "ahc"));
        assertEquals("ahc\n", run(0, new TokenizeCommand(), folder, "--ids", "3,10,5"));
    }

    @Test void a_model_of_the_tree_goes_by_its_name_and_a_name_that_is_none_is_refused() {
        JsonNode model = new JsonMapper().readTree(run(0, new InspectCommand(), "tiny_kjv", "--json"));
        assertEquals(1024, model.get("vocab_size").intValue());
        assertTrue(run(0, new TokenizeCommand(), "tiny_kjv", "--text", "In the beginning").startsWith("1022,"));
        run(2, new InspectCommand(), "no_such_model");
        assertTrue(message.contains("no_such_model"), message);
    }

    @Test void a_lone_tokenizer_file_is_enough_and_special_tokens_can_be_left_out() {
        String file = Cases.file("a14/template_adds_bos.json").toString();
        assertEquals("0,0,2,3,4\n", run(0, new TokenizeCommand(), file, "--text", "<s>abc"));
        assertEquals("0,2,3,4\n", run(0, new TokenizeCommand(), file, "--text", "<s>abc", "--no-special-tokens"));
        assertEquals("", run(2, new TokenizeCommand(), file, "--text", "a", "--ids", "1"));
        assertEquals("", run(2, new TokenizeCommand(), file, "--ids", "one"));
    }
}
