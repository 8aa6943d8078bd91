package dev.npuflow.workflow.estimate;

import dev.npuflow.npu.clock.ElfTiming.LaunchTiming;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.StepCost;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// An estimate for people.
public final class EstimateText {

    private EstimateText() {}

    /// @param subject what was estimated and where the figures come from, one line
    public static void print(TextOutput out, Estimate estimate, String subject, String expectedError) {
        out.line(subject);
        TextLength length = estimate.text();
        out.line(format(length.decodedTokens() == 1 ? "context: one token with %d positions in the KV cache"
                : "context: prompt of %2$d tokens, mean over %3$d decoded tokens",
                length.positionsAfter(0), length.promptTokens(), length.decodedTokens()));
        out.line("");
        out.line(format("decode   %8.2f ms/token  %6.2f tokens/s", estimate.millisecondsPerToken(), estimate.tokensPerSecond()));
        out.line(format("prefill  %8.3f s to the first token (%d positions computed)", estimate.secondsToFirstToken(), estimate.deployment().model()
                .paddedPrefill()));
        out.line(format("XRT calls per layer: prefill %d, decode %d; %d per token", estimate.callsPerLayer(Phase.PREFILL),
                estimate.callsPerLayer(Phase.DECODE),
                estimate.deployment().decode().callsPerPass(estimate.deployment().model().layers())));
        out.line("expected error: " + expectedError);
        for (Phase phase : Phase.values()) {
            out.line("");
            out.table(table(estimate, phase));
            out.line("time by what bounds it: %s".formatted(estimate.bounds(phase).entrySet().stream().map(EstimateText::share)
                    .collect(Collectors.joining(", "))));
        }
    }

    private static TextTable table(Estimate estimate, Phase phase) {
        TextTable table = new TextTable(0, Column.left(phase.name().toLowerCase(Locale.ROOT)), Column.right("count"), Column.right("total ms"), Column.right("ms each"),
                Column.right("write"), Column.right("run"), Column.right("read"), Column.left("bound by"));
        for (StepCost step : estimate.phase(phase)) {
            table.row((step.kind() == Kind.NPU ? "" : "host ") + step.name(), Integer.toString(step.repeats()), milliseconds(step.total()),
                    milliseconds(step.once()), milliseconds(step.write()), milliseconds(step.run()), milliseconds(step.read()), step.boundBy());
            if (step.launches().size() > 1) {
                table.note(step.launches().stream().map(EstimateText::launch).collect(Collectors.joining(", ")));
            }
        }
        return table;
    }

    private static String milliseconds(Picoseconds time) {
        return format("%.3f", time.milliseconds());
    }

    private static String launch(LaunchTiming launch) {
        return String.format(Locale.ROOT, "%s %.3f %s", launch.launch(), launch.time().milliseconds(),
                launch.boundBy());
    }

    private static String share(Map.Entry<String, Double> bound) {
        return String.format(Locale.ROOT, "%s %.2f ms", bound.getKey(), bound.getValue());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
