package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.ledger.GatedPhase;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `npuflow phase5 MODEL`.
@Command(name = "phase5", mixinStandardHelpOptions = true,
        description = "Phase 5, decode: each skill applied, checked, verified, measured, and kept or reverted; writes phase5_decode.md.")
final class Phase5Command implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private PhaseCommandOptions phaseOptions;

    @Override public Integer call() {
        return PhaseCommands.run(spec, options, phaseOptions, GatedPhase.DECODE);
    }
}
