package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.cli.PhaseRunner.Finished;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.phase.PhaseResult.Status;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow deploy MODEL`.
@Command(name = "deploy", mixinStandardHelpOptions = true,
        description = "Phases 3, 4 and 5 in a row, each behind its hard gate; stops at the first that does not pass.")
final class DeployCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private PhaseCommandOptions phaseOptions;

    @Option(names = "--through", paramLabel = "N", defaultValue = "5", description = "last phase to run: 3, 4 or 5 (default: ${DEFAULT-VALUE})")
    private int through;

    @Override public Integer call() {
        if (through < GatedPhase.FULL_MODEL.number() || through > GatedPhase.DECODE.number()) {
            throw NpuflowException.badInput("NPF-815", "--through", through, "3, 4 or 5", "leaving --through out");
        }
        PrintWriter err = spec.commandLine().getErr();
        try (InterruptNotice notice = PhaseCommands.betweenRuns(err)) {
            return deploy(err);
        }
    }

    private int deploy(PrintWriter err) {
        phaseOptions.skills(err);
        try (Progress progress = options.progress(err, 0);
                OpenedDeployment opened = OpenedDeployment.open(options, progress);
                Ledger ledger = Ledger.open(opened.workspace())) {
            PhaseRunner runner = new PhaseRunner(opened, ledger, phaseOptions, progress, phaseOptions.output().faults());
            List<GatedPhase> phases = Arrays.stream(GatedPhase.values()).filter(phase -> phase.number() <= through).toList();
            runner.requireOpenRun(phases.getLast());
            List<Object> trees = new ArrayList<>();
            int exitCode = 0;
            for (GatedPhase phase : phases) {
                if (exitCode != 0) {
                    break;
                }
                Finished finished = runner.run(phase);
                if (phase == phases.getLast()) {
                    PhaseCommands.trace(phaseOptions, opened, phase);
                }
                progress.clear();
                View view = PhaseOutput.view(phase, finished, opened);
                trees.add(view.json().get());
                phaseOptions.output().meanwhile(text -> {
                    view.text().accept(text);
                    text.line("");
                });
                exitCode = finished.result().status() == Status.PASS ? 0 : PhaseOutput.exitCode(finished.result()).code();
            }
            phaseOptions.output().show(_ -> { }, () -> trees);
            return exitCode;
        }
    }
}
