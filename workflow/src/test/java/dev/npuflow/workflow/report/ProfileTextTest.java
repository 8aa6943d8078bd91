package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.measurement.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The regular expressions are those of docs/upstream.md, "Profile output", as programs on upstream's output use them.
class ProfileTextTest {

    private static final Profile PROFILE = SampleProfile.of(4);
    private static final String TEXT = ProfileText.render(PROFILE);

    private static List<MatchResult> all(String regex, String text) {
        return Pattern.compile(regex, Pattern.MULTILINE).matcher(text).results().toList();
    }

    private static double first(String regex) {
        return Double.parseDouble(all(regex, TEXT).getFirst().group(1));
    }

    private static String section(String tag) {
        List<MatchResult> starts = all("^(?<tag>PREFILL|DECODE)(?: \\((?<n>\\d+) tokens\\))?(?: —)? detail(?: tables)?$", TEXT);
        assertEquals(2, starts.size());
        return "PREFILL".equals(tag) ? TEXT.substring(starts.get(0).start(), starts.get(1).start()) : TEXT.substring(starts.get(1).start());
    }

    @Test void upstreams_extract_perf_reads_our_numbers() {
        assertEquals(1000 * PROFILE.secondsToFirstToken(), 1000 * first("^\\s*Time to first token \\(TTFT\\):\\s*([\\d.]+)\\s*s"), 0.001);
        assertEquals(2048, first("prompt_len[=:]\\s*(\\d+)"));
        assertTrue(all("\\(([\\d.]+)\\s*tok/s\\)", TEXT).isEmpty(), "the first choice for tokens a second is not there, the second is read");
        assertEquals(PROFILE.tokensPerSecond().orElseThrow(), 1000 / first("End-to-end \\(per token\\)\\s+([\\d.]+)\\s*ms"), 0.002);
        assertEquals(PROFILE.tokensPerSecond().orElseThrow(), first("Tokens/second:\\s*([\\d.]+)"), 0.005);
        assertEquals(PROFILE.prefillTime().value() / 1e9, first("End-to-end \\(prefill, per query\\)\\s+([\\d.]+)\\s*ms"), 0.005);
    }

    @Test void the_summary_lines_read_back() {
        MatchResult made = all("^Generated (?<n>\\d+) tokens in (?<t>[\\d.]+)s(?: \\((?<tps>[\\d.]+) tok/s\\))?$", TEXT).getFirst();
        assertEquals("4", made.group("n"));
        assertEquals(PROFILE.millisecondsPerToken().orElseThrow(), 1000 * Double.parseDouble(made.group("t")) / 4, 0.001);
        assertEquals(Math.round(PROFILE.millisecondsPerToken().orElseThrow()), Math.round(first("^Time/token:\\s*(\\d+)ms")));
    }

    @Test void the_call_counts_say_that_a_merge_really_happened() {
        String regex = "^ {2}(?<l>NPU XRT calls|CPU host ops|Layer-loop wall) +(?<ms>[\\d.]+)ms +\\((?<cnt>\\d+) ";
        List<MatchResult> decode = all(regex, section("DECODE"));
        assertEquals(List.of("133", "72", "64"), decode.stream().map(m -> m.group("cnt")).toList());
        assertEquals(5 * 13.48 + 64 * (0.89 + 3.03), Double.parseDouble(decode.getFirst().group("ms")), 0.005);
        assertEquals(List.of("32", "18", "16"), all(regex, section("PREFILL")).stream().map(m -> m.group("cnt")).toList());
    }

    @Test void the_breakdown_rows_read_back_in_alphabetical_order() {
        List<MatchResult> rows = all("^ {2}(?<name>\\S+) +avg= *(?<avg>[\\d.]+)ms +min= *(?<min>[\\d.]+)ms +max= *(?<max>[\\d.]+)ms"
                + " +\\(x(?<cnt>\\d+)\\)$", section("DECODE"));
        assertEquals(List.of("lm_head_gemv 5", "o_gemv_ffn 64", "rms_gemv_rope 64", "decode_attention 64", "embed_lookup 4", "final_rms_norm 4"),
                rows.stream().map(row -> row.group("name") + " " + row.group("cnt")).toList());
        assertEquals(3.03, Double.parseDouble(rows.get(1).group("avg")), 0.0001);
        assertEquals(0.310, Double.parseDouble(rows.get(3).group("min")), 0.0001);
        assertEquals(0.313, Double.parseDouble(rows.get(3).group("max")), 0.0001);
    }

    @Test void the_layer_and_fine_grained_rows_read_back() {
        List<MatchResult> layers = all("^ {2}Layer +(?<i>\\d+): +(?:avg= *)?(?<ms>[\\d.]+)ms", section("DECODE"));
        assertEquals(16, layers.size());
        assertEquals(0.89 + 0.3115 + 3.03, Double.parseDouble(layers.get(15).group("ms")), 0.0001);
        MatchResult fine = all("^ {2}(?<name>\\S+) +(?<w>[\\d.]+)ms +(?<k>[\\d.]+)ms +(?<r>[\\d.]+)ms +(?<t>[\\d.]+)ms +(?<mb>[\\d.]+)MB"
                + " +(?<bo>\\d+)bo +\\(x(?<cnt>\\d+)\\)$", section("PREFILL")).getFirst();
        assertEquals(List.of("o_ffn", "0.9000", "39.82", "0.1000", "40.82", "20.0", "1", "16"),
                List.of("name", "w", "k", "r", "t", "mb", "bo", "cnt").stream().map(fine::group).toList());
    }

    @Test void the_dataflow_rows_add_up_to_their_end_to_end_line() {
        String decode = TEXT.substring(TEXT.indexOf("--- DECODE"), TEXT.indexOf("Per-token layer-loop"));
        double sum = 0;
        List<String> labels = new ArrayList<>();
        for (MatchResult row : all("^ {2}(?:│ {2})? *(?<label>.+?) +(?<kind>CPU|NPU|—) +(?<ms>[\\d.]+) ms *$", decode)) {
            boolean inLayer = row.group().startsWith("    ");
            sum += Double.parseDouble(row.group("ms")) * (inLayer ? 16 : 1);
            labels.add(row.group("label"));
        }
        assertEquals(List.of("embed_lookup", "rms_gemv_rope.elf", "decode_attention", "o_gemv_ffn.elf", "python/numpy scheduling", "final_rms_norm",
                "lm_head_gemv.elf"), labels);
        assertEquals(PROFILE.millisecondsPerToken().orElseThrow(), sum, 0.01);
    }

    @Test void the_columns_stand_where_upstream_puts_them() {
        List<String> expected = List.of(
                "  embed_lookup                          CPU      12.30 ms  ",
                "    prefill_attention                   CPU      21.37 ms  ",
                "    o_ffn.elf                           NPU      40.82 ms  ",
                "  ┌─ Decoder block × 16 (per layer) ─────────────────────────────┐",
                "  │  per-layer wall                              69.74 ms",
                "  × 16 layers                                  1115.84 ms",
                "  NPU XRT calls            318.28ms  (133 calls)",
                "  Layer   0:   69.74ms",
                "  Total layer-time                          1115.84ms",
                "  o_ffn                                    avg=  40.82ms  min=  40.82ms  max=  40.82ms  (x16)",
                "  lm_head_gemv                             avg=  13.48ms  min=  13.48ms  max=  13.48ms  (x5)",
                "  Pre-loaded 16 decode layers + LM Head (2368.0MB)");
        List<String> lines = TEXT.lines().toList();
        assertEquals(List.of(), expected.stream().filter(line -> !lines.contains(line)).toList());
    }

    @Test void every_block_begins_with_where_its_figures_come_from() {
        List<String> lines = TEXT.lines().toList();
        assertEquals("Figures: simulated on npu2, uncalibrated", lines.getFirst());
        for (String title : List.of("Preparing runtime", "END-TO-END DATAFLOW", "llama32_1b Inference", "PREFILL —", "DECODE (")) {
            int at = lines.indexOf(lines.stream().filter(line -> line.startsWith(title)).findFirst().orElseThrow());
            assertTrue(lines.subList(Math.max(0, at - 3), at).contains("Figures: " + SampleProfile.SOURCE), title);
        }
    }

    @Test void a_kilobyte_is_not_nothing_and_nothing_is() {
        assertEquals("0.000977", Figures.megabytes(8, 1024));
        assertEquals("0.000001", Figures.megabytes(8, 1));
        assertEquals("   0.000", Figures.megabytes(8, 0));
        assertEquals("   0.001", Figures.megabytes(8, 1049));
        assertEquals("   9.999", Figures.megabytes(8, 10_484_700));
        assertEquals("    10.0", Figures.megabytes(8, 10_485_760));
    }

    @Test void shares_add_up_to_100_per_cent() {
        assertArrayEquals(new long[] {34, 33, 33}, Figures.percent(1, 1, 1));
        assertArrayEquals(new long[] {5, 93, 2}, Figures.percent(55, 926, 19), "rounded one by one they would be 6 + 93 + 2");
        assertArrayEquals(new long[] {33, 33, 34}, Figures.percent(333, 333, 334), "rounded one by one they would be 33 + 33 + 33");
        assertArrayEquals(new long[] {0, 100, 0}, Figures.percent(0, 7, 0));
        for (String tag : List.of("PREFILL", "DECODE")) {
            MatchResult row = all("^ {2}% +(\\d+)% +(\\d+)% +(\\d+)%$", section(tag)).getFirst();
            assertEquals(100, IntStream.rangeClosed(1, 3).map(group -> Integer.parseInt(row.group(group))).sum());
        }
    }

    @Test void a_profile_without_decode_divides_by_nothing() {
        String text = ProfileText.render(SampleProfile.of(0));
        assertFalse(text.contains("Tokens/second") || text.contains("DECODE") || text.contains("NaN") || text.contains("Infinity"), text);
        assertTrue(text.contains("Time to first token") && text.contains("\nNo token was decoded after the first"));
        assertFalse(TEXT.contains("No token was decoded"));
    }

    @Test void fewer_than_three_tokens_have_no_trend() {
        assertFalse(ProfileText.render(SampleProfile.of(2)).contains("wall trend"));
        assertTrue(ProfileText.render(SampleProfile.of(3)).contains("    token  1 =  67.68 ms   token  2 =  67.70 ms   token  3 =  67.71 ms\n"));
    }

    @Test void does_not_depend_on_the_locale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertEquals(TEXT, ProfileText.render(PROFILE));
        } finally {
            Locale.setDefault(before);
        }
        assertTrue(Arrays.stream(TEXT.split("\n")).noneMatch(line -> line.contains("\t")));
    }
}
