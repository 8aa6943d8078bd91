package dev.npuflow.workflow.report;

import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import dev.npuflow.workflow.measurement.Profile;
import java.util.ArrayList;
import java.util.List;

/// A profile of upstream's llama32_1b shape with the times of its example: 16 layers, two calls a layer.
final class SampleProfile {

    static final long MICROSECOND = 1_000_000;
    static final String SOURCE = "simulated on npu2, uncalibrated";

    private SampleProfile() {}

    static Profile of(int tokens) {
        List<StepTime> prefill = new ArrayList<>();
        prefill.add(host("embed_lookup", Section.PROLOGUE, -1, 0, 12_300));
        for (int layer = 0; layer < 16; layer++) {
            prefill.add(npu("rms_gemms_rope", Section.LAYER, layer, 0, 900, 6_550, 100));
            prefill.add(host("prefill_attention", Section.LAYER, layer, 0, 21_370));
            prefill.add(npu("o_ffn", Section.LAYER, layer, 0, 900, 39_820, 100));
        }
        prefill.add(host("final_rms_norm", Section.EPILOGUE, -1, 0, 900));
        prefill.add(npu("lm_head_gemv", Section.EPILOGUE, -1, 0, 10, 13_400, 70));
        List<StepTime> decode = new ArrayList<>();
        for (int pass = 0; pass < tokens; pass++) {
            decode.add(host("embed_lookup", Section.PROLOGUE, -1, pass, 20));
            for (int layer = 0; layer < 16; layer++) {
                decode.add(npu("rms_gemv_rope", Section.LAYER, layer, pass, 20, 860, 10));
                decode.add(host("decode_attention", Section.LAYER, layer, pass, 310 + pass));
                decode.add(npu("o_gemv_ffn", Section.LAYER, layer, pass, 20, 3_000, 10));
            }
            decode.add(host("final_rms_norm", Section.EPILOGUE, -1, pass, 110));
            decode.add(npu("lm_head_gemv", Section.EPILOGUE, -1, pass, 10, 13_400, 70));
        }
        return new Profile("llama32_1b", "npu2", "f00d", SOURCE, 16, 7, 2048, tokens, 7_600_000 * MICROSECOND, 2368L << 20, prefill, decode,
                List.of(791, 1, 2, 3, 4));
    }

    private static StepTime npu(String name, Section section, int layer, int pass, long write, long run, long read) {
        return new StepTime(name, Kind.NPU, section, layer, pass, write * MICROSECOND, run * MICROSECOND, read * MICROSECOND, 20L << 20, 3, 1);
    }

    private static StepTime host(String name, Section section, int layer, int pass, long run) {
        return new StepTime(name, Kind.HOST, section, layer, pass, 0, run * MICROSECOND, 0, 0, 0, 0);
    }
}
