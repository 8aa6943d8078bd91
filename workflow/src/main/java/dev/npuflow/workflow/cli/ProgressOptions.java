package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/// How much a command tells while it works; of every command that may take long.
public final class ProgressOptions {

    @Option(names = {"-q", "--quiet"}, description = "tell no progress on standard error; faults and warnings are told all the same")
    private boolean quiet;

    @Option(names = {"-v", "--verbose"}, description = "tell every stage of a step, a line each")
    private boolean verbose;

    /// @param steps of the command, 0 where it cannot know
    /// @throws NpuflowException NPF-837 for both options
    public Progress begin(PrintWriter err, int steps) {
        if (quiet && verbose) {
            throw NpuflowException.badInput("NPF-837", "--quiet and --verbose", "one of them", "leaving one out");
        }
        return Progress.begin(err, quiet ? Progress.Detail.NOTHING : verbose ? Progress.Detail.STAGES : Progress.Detail.STEPS, steps);
    }
}
