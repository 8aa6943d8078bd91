package dev.npuflow.workflow.cli;

import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.cli.PhaseRunner.Finished;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.lowering.PlanTrace;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/// What the commands of the phases share.
final class PhaseCommands {

    private static final String NO_RUN = "interrupted before a run was recorded: the same command begins again";

    private PhaseCommands() {}

    /// For as long as a command has begun no run, or has ended one and not begun the next.
    static InterruptNotice betweenRuns(PrintWriter err) {
        return new InterruptNotice(err, NO_RUN);
    }

    /// @return the exit code
    static int run(CommandSpec spec, DeploymentOptions options, PhaseCommandOptions phaseOptions, GatedPhase phase) {
        PrintWriter err = spec.commandLine().getErr();
        try (InterruptNotice notice = betweenRuns(err)) {
            return run(err, options, phaseOptions, phase);
        }
    }

    private static int run(PrintWriter err, DeploymentOptions options, PhaseCommandOptions phaseOptions, GatedPhase phase) {
        phaseOptions.skills(err);
        try (Progress progress = options.progress(err, 0);
                OpenedDeployment opened = OpenedDeployment.open(options, progress);
                Ledger ledger = Ledger.open(opened.workspace())) {
            PhaseRunner runner = new PhaseRunner(opened, ledger, phaseOptions, progress, phaseOptions.output().faults());
            runner.requireOpenRun(phase);
            Finished finished = runner.run(phase);
            trace(phaseOptions, opened, phase);
            progress.clear();
            phaseOptions.output().show(PhaseOutput.view(phase, finished, opened));
            return PhaseOutput.exitCode(finished.result()).code();
        }
    }

    /// Writes one pass of the kept plan, of the half that the phase judged, where `--trace` asks for it.
    static void trace(PhaseCommandOptions phaseOptions, OpenedDeployment opened, GatedPhase phase) {
        phaseOptions.trace().ifPresent(file -> {
            Phase traced = phase == GatedPhase.DECODE ? Phase.DECODE : Phase.PREFILL;
            int prompt = opened.prompts().canonical().ids().size();
            PlanTrace.write(file, opened.plan("kept"), opened.device(), traced, traced == Phase.DECODE ? prompt + 1 : prompt);
        });
    }
}
