package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import dev.npuflow.workflow.measurement.Profile;
import java.util.List;
import java.util.stream.IntStream;

/// Where one query's and one token's milliseconds go, in the order of the data flow.
final class DataflowBlock {

    private static final String WIDE_LINE = "=".repeat(68);
    private static final int SHORTEST_TREND = 3;

    private DataflowBlock() {}

    static void append(StringBuilder text, Profile profile) {
        text.append(ProfileText.sourceLine(profile.source())).append(WIDE_LINE).append('\n')
                .append("END-TO-END DATAFLOW (per make profile, dataflow order)\n").append(WIDE_LINE).append("\n\n");
        text.append(format(ROOT, "  Preprocessing (one-time, prepare_runtime): %s s   ← not counted in per-query wall below\n\n",
                Figures.seconds(profile.prepare())));
        text.append("--- PREFILL (per query, seq_len padded) ---\n");
        phase(text, profile.prefill(), profile.layers(), 1, "(per layer) " + "─".repeat(29));
        total(text, "End-to-end (prefill, per query)", profile.prefillTime().value());
        if (profile.decodeTokens() > 0) {
            text.append(format(ROOT, "\n--- DECODE (avg per token, %d tokens) ---\n", profile.decodeTokens()));
            phase(text, profile.decode(), profile.layers(), profile.decodeTokens(), "(per layer, per token) " + "─".repeat(17));
            total(text, "End-to-end (per token)", (double) profile.decodeTime().value() / profile.decodeTokens());
            trend(text, profile);
        }
        text.append('\n');
    }

    /// @param passes over which is averaged
    private static void phase(StringBuilder text, List<StepTime> steps, int layers, int passes, String title) {
        rows(text, "", steps, Section.PROLOGUE, passes);
        text.append(format(ROOT, "  ┌─ Decoder block × %d %s┐\n", layers, title));
        rows(text, "  ", steps, Section.LAYER, passes * layers);
        text.append(row("  python/numpy scheduling", "—", 0));
        double wall = loopWall(steps);
        text.append("  │  ").append("─".repeat(52)).append('\n');
        text.append(format(ROOT, "  │  %-41s%s ms\n", "per-layer wall", Figures.milliseconds(8, layers == 0 ? 0 : wall / passes / layers)));
        text.append("  └").append("─".repeat(58)).append("┘\n");
        text.append(format(ROOT, "  %-44s%s ms\n", format(ROOT, "× %d layers", layers), Figures.milliseconds(8, wall / passes)));
        rows(text, "", steps, Section.EPILOGUE, passes);
    }

    private static void rows(StringBuilder text, String indent, List<StepTime> steps, Section section, int invocations) {
        for (StepGroup group : StepGroup.byName(steps.stream().filter(step -> step.section() == section))) {
            boolean npu = group.steps().getFirst().kind() == Kind.NPU;
            text.append(row(indent + group.name() + (npu ? ".elf" : ""), npu ? "NPU" : "CPU", (double) group.total() / invocations));
        }
    }

    private static String row(String label, String kind, double picoseconds) {
        return format(ROOT, "  %-38s%-6s%s ms  \n", label, kind, Figures.milliseconds(8, picoseconds));
    }

    private static void total(StringBuilder text, String label, double picoseconds) {
        text.append("  ").append("─".repeat(60)).append('\n');
        text.append(format(ROOT, "  %-44s%s ms\n", label, Figures.milliseconds(8, picoseconds)));
    }

    private static long loopWall(List<StepTime> steps) {
        return steps.stream().filter(step -> step.section() == Section.LAYER).mapToLong(StepTime::total).sum();
    }

    private static void trend(StringBuilder text, Profile profile) {
        int tokens = profile.decodeTokens();
        if (tokens < SHORTEST_TREND) {
            return;
        }
        long[] walls = IntStream.range(0, tokens).mapToLong(pass -> loopWall(
                profile.decode().stream().filter(step -> step.pass() == pass).toList())).toArray();
        text.append("\n  Per-token layer-loop wall trend (decode-attention CPU scales with KV cache size):\n    ");
        text.append(String.join("   ", IntStream.of(1, tokens / 2 + 1, tokens)
                .mapToObj(token -> format(ROOT, "token %2d = %s ms", token, Figures.milliseconds(6, walls[token - 1]))).toList()));
        long drift = walls[tokens - 1] - walls[0];
        text.append(format(ROOT, "\n    min = %s ms   max = %s ms   avg = %s ms   first→last drift = %s ms (%+.1f%%)\n",
                Figures.milliseconds(6, IntStream.range(0, tokens).mapToLong(i -> walls[i]).min().orElse(0)),
                Figures.milliseconds(6, IntStream.range(0, tokens).mapToLong(i -> walls[i]).max().orElse(0)),
                Figures.milliseconds(6, (double) loopWall(profile.decode()) / tokens),
                (drift > 0 ? "+" : "") + Figures.milliseconds(1, drift), walls[0] == 0 ? 0.0 : 100.0 * drift / walls[0]));
    }
}
