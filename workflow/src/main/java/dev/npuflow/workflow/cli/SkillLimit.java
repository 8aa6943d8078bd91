package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.catalog.GuardedSkill;
import java.time.Duration;
import picocli.CommandLine.Option;

/// The time that one call of a skill may take, for every command that calls some.
public final class SkillLimit {

    private static final int LONGEST_SECONDS = 24 * 60 * 60;

    @Option(names = "--skill-limit", paramLabel = "SECONDS", description = "time that one call of a skill may take (default: 60)")
    private int seconds = (int) GuardedSkill.USUAL_LIMIT.toSeconds();

    /// @throws NpuflowException NPF-707
    public Duration duration() {
        if (seconds < 1 || seconds > LONGEST_SECONDS) {
            throw NpuflowException.badInput("NPF-707", "--skill-limit", seconds, "1 to %d seconds".formatted(LONGEST_SECONDS), "60, the usual limit");
        }
        return Duration.ofSeconds(seconds);
    }
}
