package dev.npuflow.workflow.cli.ledger;

import dev.npuflow.workflow.cli.CommandGroup;
import dev.npuflow.workflow.cli.HelpCommand;
import dev.npuflow.workflow.cli.NpuflowCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `npuflow ledger`.
@Command(name = "ledger", mixinStandardHelpOptions = true, subcommands = {VerifyLedgerCommand.class, HelpCommand.class},
        description = "The records of a workspace: verify looks for what was changed, added or lost since npuflow wrote it.")
public final class LedgerCommand implements CommandGroup, Runnable {

    @Spec private CommandSpec spec;

    @Override public void run() {
        throw NpuflowCommand.noCommand(spec);
    }
}
