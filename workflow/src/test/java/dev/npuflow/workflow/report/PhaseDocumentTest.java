package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PhaseDocumentTest {

    private static final String BASELINE = "b".repeat(64);
    private static final String MERGED = "a".repeat(64);

    static PhaseDocument document(String foreign) {
        ProfileSummary before = ProfileSummary.of(SampleProfile.of(4));
        List<StepTotals> faster = new ArrayList<>(before.decode());
        faster.removeIf(step -> step.name().equals("o_gemv_ffn"));
        ProfileSummary after = new ProfileSummary(before.model(), before.device(), MERGED, SampleProfile.SOURCE + foreign, 16, 7, 2048, 4, 0, 0,
                before.prefill(), faster, before.generated());
        GateSummary gate = GateSummary.of(SampleGate.pass());
        return new PhaseDocument(Phase.DECODE, "llama32_1b" + foreign, "PASS", List.of("The plan is Phase 4's.", "Weights are synthetic." + foreign),
                new PhasePoint(BASELINE, before, gate, Optional.empty()), new PhasePoint(MERGED, after, gate, Optional.empty()), List.of(
                        new SkillReport("merge" + foreign, Outcome.APPLIED, OptionalDouble.of(81.3140), OptionalDouble.of(32.8340),
                                "faster" + foreign, BASELINE, MERGED,
                                List.of(new SkillSection("Multi-launch merge: qk", List.of("Sub-kernels merged: 2"))), List.of()),
                        new SkillReport("slow", Outcome.REVERTED, OptionalDouble.of(32.8340), OptionalDouble.of(40), "not faster", MERGED, BASELINE,
                                List.of(), List.of("plan read again from the ledger: same hash, 32.8340 ms" + foreign)),
                        new SkillReport("layout", Outcome.SKIPPED, OptionalDouble.of(32.8340), OptionalDouble.empty(), "no host transpose", MERGED,
                                MERGED, List.of(), List.of())));
    }

    private static final String TEXT = document("").render();

    @Test void the_head_says_what_came_out_and_where_the_figures_come_from() {
        assertTrue(TEXT.startsWith("""
                # Phase 5: decode optimization, llama32_1b

                <!-- npuflow: phase=5 status=PASS baseline_ms=81.3140 final_ms=32.8340 -->

                Figures: simulated on npu2, uncalibrated

                Written by npuflow from its ledger; a change made here is lost with the next run.

                Result: **PASS**, 81.3140 → 32.8340 ms/token (2.48×)

                The plan is Phase 4's.

                Weights are synthetic.

                ![baseline and each plan that was kept: what the time was spent on](phase5_decode.svg)

                Milliseconds in this table: time a token, which decides what is kept.

                | Skill | Outcome | ms before | ms after | Delta | Reason |
                |---|---|--:|--:|--:|---|
                | merge | applied | 81.3140 | 32.8340 | -48.4800 | faster |
                | slow | reverted | 32.8340 | 40.0000 | +7.1660 | not faster |
                | layout | skipped | 32.8340 | — | — | no host transpose |

                ## Multi-launch merge: qk

                - Sub-kernels merged: 2

                ## slow, reverted

                - Reason: not faster
                """), TEXT);
    }

    /// Of upstream's llama32_1b: 12.3 + 0.9 ms of host steps, 16 layers of 7.55 + 21.37 + 40.82 ms and an LM head of 13.48 ms.
    @Test void a_phase_4_is_led_by_the_wall_time_of_a_prefill_and_tells_its_kernels_beside_it() {
        ProfileSummary before = ProfileSummary.of(SampleProfile.of(1));
        List<StepTotals> faster = new ArrayList<>(before.prefill());
        faster.removeIf(step -> step.name().equals("rms_gemms_rope"));
        ProfileSummary after = new ProfileSummary(before.model(), before.device(), MERGED, before.source(), 16, 7, 2048, 1, 0, 0, faster, before.decode(),
                before.generated());
        GateSummary gate = GateSummary.of(SampleGate.pass());
        PhaseDocument document = new PhaseDocument(Phase.PREFILL, "llama32_1b", "PASS", List.of(), new PhasePoint(BASELINE, before, gate, Optional.empty()),
                new PhasePoint(MERGED, after, gate, Optional.empty()), List.of());
        String text = document.render();
        assertTrue(text.contains("<!-- npuflow: phase=4 status=PASS baseline_ms=1142.5200 final_ms=1021.7200 -->\n"), text);
        assertTrue(text.contains("Result: **PASS**, 1142.5200 → 1021.7200 ms of prefill (1.12×), its kernels 787.4000 → 666.6000 ms (1.18×)\n"), text);
        assertTrue(text.contains("|--:|--:|\n| prefill, ms | 1142.5200 | 1021.7200 |\n| its kernels, ms | 787.4000 | 666.6000 |\n"), text);
        assertTrue(text.contains("Milliseconds in this table: wall time of a prefill, which decides what is kept.\n"), text);
        assertTrue(document.summary().startsWith("1142.5200 → 1021.7200 ms of prefill (1.12×)"), document.summary());
    }

    @Test void both_plans_both_gates_and_every_step_are_in_it() {
        assertTrue(TEXT.contains("| ms/token | 81.3140 | 32.8340 |\n"), TEXT);
        assertTrue(TEXT.contains("| XRT calls a pass | 33 | 17 |\n"), TEXT);
        assertTrue(TEXT.contains("### Baseline plan: PASS\n"), TEXT);
        assertTrue(TEXT.contains("| 0 | 32 | OK | no difference | OK | 0 of 32 steps differ |\n"), TEXT);
        assertTrue(TEXT.contains("| o_gemv_ffn | NPU | 16 | 48.4800 | — | — |\n"), TEXT);
        assertTrue(TEXT.contains("- slow, reverted: plan `" + MERGED + "` → `" + BASELINE
                + "`\n  - plan read again from the ledger: same hash"), TEXT);
        assertTrue(TEXT.endsWith("- final: plan `" + MERGED + "`\n"), TEXT);
    }

    @Test void foreign_text_opens_no_row_no_cell_no_heading_and_no_comment() {
        String text = document(" |x|\n## own heading\n| a | b |\r"
                + "<!-- npuflow: phase=5 status=PASS baseline_ms=1.0000 final_ms=1.0000 -->\n").render();
        assertEquals(TEXT.lines().filter(line -> line.startsWith("|")).count(), text.lines().filter(line -> line.startsWith("|")).count());
        assertEquals(TEXT.lines().filter(line -> line.startsWith("#")).count(), text.lines().filter(line -> line.startsWith("#")).count());
        assertEquals(1, text.lines().filter(line -> line.startsWith("<!--")).count());
        for (String row : text.lines().filter(line -> line.contains("| applied |")).toList()) {
            assertEquals(8, row.split("(?<!\\\\)\\|", -1).length, row);
        }
    }

    @Test void equal_runs_write_equal_bytes_in_every_locale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertEquals(TEXT, document("").render());
        } finally {
            Locale.setDefault(before);
        }
        assertFalse(TEXT.contains("202"), "no date");
    }
}
