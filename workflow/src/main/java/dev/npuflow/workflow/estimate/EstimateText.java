package dev.npuflow.workflow.estimate;

import dev.npuflow.npu.clock.ElfTiming.LaunchTiming;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.StepCost;
import dev.npuflow.workflow.target.StepTime.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// An estimate for people.
public final class EstimateText {

    private EstimateText() {}

    /// @param subject what was estimated and where the figures come from, one line
    public static String of(Estimate estimate, String subject, String expectedError) {
        StringBuilder text = new StringBuilder(subject).append('\n');
        TextLength length = estimate.text();
        line(text, length.decodedTokens() == 1 ? "context: one token with %d positions in the KV cache"
                : "context: prompt of %2$d tokens, mean over %3$d decoded tokens",
                length.positionsAfter(0), length.promptTokens(), length.decodedTokens());
        line(text, "");
        line(text, "decode   %8.2f ms/token  %6.2f tokens/s", estimate.millisecondsPerToken(), estimate.tokensPerSecond());
        line(text, "prefill  %8.3f s to the first token (%d positions computed)", estimate.secondsToFirstToken(), estimate.deployment().model()
                .paddedPrefill());
        line(text, "XRT calls per layer: prefill %d, decode %d; %d per token", estimate.callsPerLayer(Phase.PREFILL),
                estimate.callsPerLayer(Phase.DECODE),
                estimate.deployment().decode().callsPerPass(estimate.deployment().model().layers()));
        line(text, "expected error: %s", expectedError);
        for (Phase phase : Phase.values()) {
            table(text, estimate, phase);
        }
        return text.toString();
    }

    private static void table(StringBuilder text, Estimate estimate, Phase phase) {
        line(text, "");
        line(text, "%-28s %5s %10s %9s %9s %9s %9s  %s", phase.name().toLowerCase(Locale.ROOT), "count", "total ms", "ms each", "write", "run",
                "read", "bound by");
        for (StepCost step : estimate.phase(phase)) {
            line(text, "%-28s %5d %10.3f %9.3f %9.3f %9.3f %9.3f  %s", (step.kind() == Kind.NPU ? "" : "host ") + step.name(), step.repeats(),
                    step.total() / 1e9,
                    step.once() / 1e9, step.write() / 1e9, step.run() / 1e9, step.read() / 1e9, step.boundBy());
            if (step.launches().size() > 1) {
                line(text, "    %s", step.launches().stream().map(EstimateText::launch).collect(Collectors.joining(", ")));
            }
        }
        line(text, "time by what bounds it: %s", estimate.bounds(phase).entrySet().stream().map(EstimateText::share)
                .collect(Collectors.joining(", ")));
    }

    private static String launch(LaunchTiming launch) {
        return String.format(Locale.ROOT, "%s %.3f %s", launch.launch(), (launch.endPicoseconds() - launch.startPicoseconds()) / 1e9,
                launch.boundBy());
    }

    private static String share(Map.Entry<String, Double> bound) {
        return String.format(Locale.ROOT, "%s %.2f ms", bound.getKey(), bound.getValue());
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
