package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.report.ProfileSummary;
import dev.npuflow.workflow.report.StepTotals;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Time comes from the device file: another file, another time.
class WhatIfTest {

    @TempDir Path workspace;

    @Test void a_slower_memory_moves_gemv_and_not_the_host_s_share() {
        ProfileSummary asItIs = profile(List.of());
        ProfileSummary slower = profile(List.of("dram.read_gbps=8"));
        assertTrue(of(slower, "gate_gemv").run() > of(asItIs, "gate_gemv").run());
        assertEquals(of(asItIs, "decode_attention").run(), of(slower, "decode_attention").run());
        assertEquals(of(asItIs, "gate_gemv").write(), of(slower, "gate_gemv").write());
    }

    @Test void the_same_device_gives_the_same_time_to_the_picosecond() {
        assertEquals(profile(List.of()).decodeTime(), profile(List.of()).decodeTime());
    }

    private ProfileSummary profile(List<String> overrides) {
        try (TinyKjv tiny = TinyKjv.open(workspace, "npu2", overrides)) {
            return ProfileSummary.of(tiny.target.profile(tiny.target.baseline(), tiny.prompts.canonical(), 4, true));
        }
    }

    private static StepTotals of(ProfileSummary summary, String step) {
        return summary.decode().stream().filter(totals -> totals.name().equals(step)).findFirst().orElseThrow();
    }
}
