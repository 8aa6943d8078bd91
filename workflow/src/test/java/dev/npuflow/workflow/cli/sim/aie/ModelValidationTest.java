package dev.npuflow.workflow.cli.sim.aie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.cli.sim.aie.ModelValidation.ModelRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelValidationTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());
    private static final Path CONFIGS = Path.of("src/test/resources/configs");
    private static final String HEADER = "row_id,model,deployment,layers,emb,head_dim,hidden,n_heads,n_kv_heads,vocab,tied_lm_head,attention_delta,"
            + "prefill_ttft_s,decode_ms_per_token,machine\n";
    private static final String LLAMA = "16,2048,64,8192,32,8,128256,1,none (GQA),1.21,";

    @TempDir private Path folder;

    private ModelValidation.Result validate(String csv, Optional<Path> configs) throws IOException {
        return new ModelValidation(NPU2, configs).validate(List.of(Files.writeString(folder.resolve("rows.csv"), csv)));
    }

    @Test void a_row_is_simulated_from_its_own_columns_or_from_the_models_config() throws IOException {
        String row = HEADER + "A,llama32_1b,bf16," + LLAMA + "80,Strix\n";
        ModelRow own = validate(row, Optional.empty()).rows().getFirst();
        assertEquals(own, validate(row, Optional.of(CONFIGS)).rows().getFirst());
        assertEquals(own.simulated() / 80 - 1, own.error(), 1e-12);
        assertTrue(own.simulatedFirstToken().isPresent());
        String wrong = HEADER + "A,llama32_1b,bf16," + LLAMA.replace("16,", "8,") + "80,Strix\n";
        assertTrue(validate(wrong, Optional.empty()).rows().getFirst().simulated() < 0.7 * own.simulated());
        assertEquals(own, validate(wrong, Optional.of(CONFIGS)).rows().getFirst(), "config.json wins");
    }

    @Test void longer_texts_of_the_nightly_machine_cost_more_a_token() throws IOException {
        ModelValidation.Result result = validate(HEADER + "A,llama32_1b,bf16," + LLAMA + "80,Strix\nB,llama32_1b,bf16," + LLAMA + "80,Krackan\n",
                Optional.empty());
        assertTrue(result.rows().getLast().simulated() > result.rows().getFirst().simulated());
    }

    @Test void older_builds_are_timed_as_they_were() throws IOException {
        ModelValidation.Result result = validate(HEADER + "A,llama32_1b,3-launch," + LLAMA + "78,Strix\nB,llama32_1b,8-launch o_gemv_ffn," + LLAMA
                + "91,Strix\n",
                Optional.empty());
        assertTrue(result.rows().getLast().simulated() > result.rows().getFirst().simulated());
    }

    @Test void a_launch_group_is_one_call_of_the_plan_and_sums_are_not_scored() throws IOException {
        String header = "row_id,model,deployment,phase,group,launches,per_call_ms\n";
        ModelValidation.Result result = validate(header + "B1,llama32_1b,bf16,decode,o_gemv_ffn,3,3\nB2,llama32_1b,bf16,decode,SUM,,92\n"
                + "B3,llama32_1b,bf16,decode,no_such_group,2,3\n", Optional.of(CONFIGS));
        assertEquals(List.of("B1"), result.rows().stream().map(ModelRow::rowId).toList());
        assertEquals(List.of("B2", "B3"), result.notScored().stream().map(ModelValidation.NotScored::rowId).toList());
        assertTrue(validate(header + "B1,llama32_1b,bf16,decode,o_gemv_ffn,3,3\n", Optional.empty()).notScored().getFirst().why()
                .contains("no dimensions"));
    }

    @Test void nightly_rows_are_named_by_model_and_window() throws IOException {
        ModelValidation.Result result = validate("model,window,decode_tok_s_median,ttft_ms_median,machine\nllama32_1b,after,10,1090,Krackan\n",
                Optional.of(CONFIGS));
        assertEquals("llama32_1b after", result.rows().getFirst().rowId());
        assertEquals(100, result.rows().getFirst().measured(), 1e-9);
    }

    /// Qwen3's heads as mlir-air tiles them send the vector more often than npu1's four columns can: no figure of it would be of a plan that runs.
    @Test void a_row_whose_plan_does_not_place_on_the_device_is_not_scored_and_says_why() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.csv"), HEADER + "A,qwen3_0_6b,bf16,28,1024,128,3072,16,8,151936,1,QK-norm,1.21,80,Strix\n");
        ModelValidation.Result onNpu1 = new ModelValidation(Devices.load("npu1", List.of()), Optional.empty()).validate(List.of(rows));
        assertEquals(List.of(), onNpu1.rows());
        assertTrue(onNpu1.notScored().getFirst().why().contains("Repeat count exceeds"), onNpu1.notScored().toString());
        assertEquals(1, new ModelValidation(NPU2, Optional.empty()).validate(List.of(rows)).rows().size());
    }

    @Test void damaged_files_are_refused_with_row_and_field() {
        assertEquals("NPF-312", assertThrows(NpuflowException.class, () -> validate("row_id,model\nA,llama32_1b\n", Optional.empty())).id());
        NpuflowException fault = assertThrows(NpuflowException.class, () -> validate(HEADER + "A,llama32_1b,bf16," + LLAMA + "NaN,Strix\n",
                Optional.empty()));
        assertTrue(fault.getMessage().contains("row 2 field decode_ms_per_token (NaN)"), fault.getMessage());
    }
}
