package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.ledger.GatedPhase;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `npuflow phase3 MODEL`.
@Command(name = "phase3", mixinStandardHelpOptions = true,
        description = "Phase 3, full model: the baseline plan judged by the gate, with the per-layer cosines beside it; writes phase3_full.md.")
final class Phase3Command implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private PhaseCommandOptions phaseOptions;

    @Override public Integer call() {
        return PhaseCommands.run(spec, options, phaseOptions, GatedPhase.FULL_MODEL);
    }
}
