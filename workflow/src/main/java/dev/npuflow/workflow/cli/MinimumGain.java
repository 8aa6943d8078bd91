package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.decision.GainRule;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The gain from which on a skill is kept.
final class MinimumGain {

    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,2}(\\.[0-9]{1,9})?%");

    @Option(names = "--min-gain", paramLabel = "PERCENT", description = "keep a skill only where it takes this much less time, such as 1%% (default: 0.1%%)")
    @Nullable private String percent;

    /// The usual rule with this gain.
    ///
    /// @throws NpuflowException NPF-840
    GainRule rule() {
        if (percent == null) {
            return GainRule.USUAL;
        }
        if (!PERCENT.matcher(percent).matches()) {
            throw NpuflowException.badInput("NPF-840", "--min-gain", percent, "a percentage with its sign, 0% or more and below 100%", "--min-gain 0.1%");
        }
        return GainRule.USUAL.withMinimumGain(Double.parseDouble(percent.substring(0, percent.length() - 1)) / 100);
    }
}
