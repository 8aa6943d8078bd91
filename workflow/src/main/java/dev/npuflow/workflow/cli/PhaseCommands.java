package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.cli.PhaseRunner.Finished;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/// What the commands of the phases share.
final class PhaseCommands {

    private PhaseCommands() {}

    /// @return the exit code
    static int run(CommandSpec spec, DeploymentOptions options, PhaseCommandOptions phaseOptions, GatedPhase phase) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        phaseOptions.skills(err);
        try (Progress progress = Progress.onTerminal(err);
                OpenedDeployment opened = OpenedDeployment.open(options, progress);
                Ledger ledger = Ledger.open(opened.workspace())) {
            PhaseRunner runner = new PhaseRunner(opened, ledger, phaseOptions, progress, err);
            runner.requireOpenRun(phase);
            Finished finished = runner.run(phase);
            progress.close();
            PhaseOutput.print(out, phase, finished, opened, phaseOptions.json());
            return PhaseOutput.exitCode(finished.result()).code();
        }
    }
}
