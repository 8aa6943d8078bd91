package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

class EstimateCommandTest {

    private static final String LLAMA = "src/test/resources/configs/llama32_1b";

    private record Answer(int code, String out, String err) {

        Map<?, ?> json() {
            return new JsonMapper().readValue(out, Map.class);
        }

        double milliseconds() {
            return ((Number) json().get("ms_per_token")).doubleValue();
        }
    }

    private static Answer estimate(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = NpuflowCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = new String[arguments.length + 1];
        all[0] = "estimate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return new Answer(command.execute(all), out.toString(), err.toString());
    }

    @Test void a_configuration_is_enough() {
        Map<?, ?> json = estimate(LLAMA, "--json").json();
        assertEquals(Map.of("prefill", 3, "decode", 2), json.get("calls_per_layer"));
        assertEquals(List.of("rms_gemms_rope", "flash_attn", "o_ffn", "lm_head_gemv", "rms_gemv_rope", "o_gemv_ffn", "lm_head_gemv"),
                ((List<?>) json.get("calls")).stream().map(call -> ((Map<?, ?>) call).get("name")).toList());
        double sum = 0;
        for (String part : List.of("calls", "host_ops")) {
            sum += ((List<?>) json.get(part)).stream().map(step -> (Map<?, ?>) step).filter(step -> step.get("phase").equals("decode"))
                    .mapToDouble(step -> ((Number) step.get("total_ms")).doubleValue()).sum();
        }
        assertEquals(((Number) json.get("ms_per_token")).doubleValue(), sum, 1e-6);
        assertEquals(1000 / sum, ((Number) json.get("tokens_per_s")).doubleValue(), 1e-4);
        assertEquals(estimate(LLAMA, "--json").out(), estimate(LLAMA + "/config.json", "--json").out());
    }

    @Test void a_longer_context_costs_the_host_and_a_faster_memory_helps() {
        double near = estimate(LLAMA, "--context", "64", "--json").milliseconds();
        assertTrue(estimate(LLAMA, "--context", "2048", "--json").milliseconds() > near);
        assertTrue(estimate(LLAMA, "--context", "64", "--json", "--set", "dram.total_gbps=40", "--set", "dram.read_gbps=40").milliseconds() > near);
    }

    @Test void every_plan_of_every_family_can_be_asked_for_and_the_baseline_is_the_slowest() {
        for (String model : List.of(LLAMA, "src/test/resources/configs/qwen3_0_6b", "src/test/resources/configs/qwen25_0_5b")) {
            assertTrue(estimate(model, "--plan", "baseline", "--json").milliseconds() > 1.5 * estimate(model, "--plan", "upstream", "--json")
                    .milliseconds(), model);
        }
    }

    @Test void text_says_its_source_and_its_context() {
        String text = estimate(LLAMA).out();
        assertTrue(text.contains("simulated on npu2"), text);
        assertTrue(text.contains("prompt of 7 tokens, mean over 32 decoded tokens"), text);
        assertTrue(text.contains("no weights read"), text);
        assertTrue(text.contains("XRT calls per layer: prefill 3, decode 2; 33 per token"), text);
    }

    @Test void bad_contexts_and_models_are_told_in_one_line() {
        for (String context : List.of("1", "0", "-3", "131073")) {
            Answer refused = estimate(LLAMA, "--context", context);
            assertEquals(2, refused.code());
            assertTrue(refused.err().startsWith("NPF-820 "), refused.err());
            assertEquals("", refused.out());
        }
        assertTrue(estimate("no/such/place").err().startsWith("NPF-803 "));
        assertEquals(2, estimate(LLAMA, "--plan", "guess").code());
    }

    /// mlir-air's RoPE rotates 16 lanes and their partners at once, so a rotated width below the head's is a multiple of 32. Of a head of 64, a quarter is not.
    @Test void a_plan_that_does_not_place_has_no_cost_whichever_is_asked_for(@TempDir Path folder) throws Exception {
        for (String plan : List.of("upstream", "baseline", "phase5")) {
            Answer refused = estimate(rotating(folder, 0.25), "--plan", plan, "--json");
            assertEquals(2, refused.code(), plan);
            assertFalse(refused.out().contains("ms_per_token"), refused.out());
            assertTrue(refused.out().contains("\"error\""), refused.out());
            assertTrue(refused.err().contains("rope_dim must be divisible by 32 where it is not head_dim, is 16"), refused.err());
            assertTrue(refused.err().contains("try this: Rotate a width that is a multiple of 32"), refused.err());
            assertEquals(0, estimate(rotating(folder, 0.5), "--plan", plan).code(), plan);
        }
    }

    @Test void what_is_advised_where_only_upstreams_tiles_do_not_place_does_place() {
        String model = "src/test/resources/configs/qwen3_0_6b";
        Answer refused = estimate(model, "--device", "npu1");
        assertEquals(2, refused.code());
        assertTrue(refused.err().contains("NPF-240 upstream's plan of qwen3_0_6b on npu1 (prefill/lm_head_gemv/lm_head_0: "), refused.err());
        assertTrue(refused.err().contains("try --plan baseline"), refused.err());
        assertEquals(0, estimate(model, "--device", "npu1", "--plan", "baseline").code());
    }

    private static String rotating(Path folder, double part) throws Exception {
        String config = Files.readString(Path.of(LLAMA, "config.json"));
        return Files.writeString(folder.resolve("config.json"), config.replaceFirst("\\{", "{\"partial_rotary_factor\": " + part + ",")).toString();
    }

    @Test void a_model_that_is_not_supported_is_told_by_the_name_of_its_file(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("gpt.json"), Files.readString(Path.of(LLAMA, "config.json")).replace("LlamaForCausalLM", "GptForCausalLM"));
        String refused = estimate(file.toString()).err();
        assertTrue(refused.startsWith("NPF-110 gpt.json: GptForCausalLM is not supported "), refused);
    }
}
