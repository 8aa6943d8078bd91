package dev.npuflow.workflow.cli.ledger;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.cli.ModelLocator;
import dev.npuflow.workflow.ledger.Ledger;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The workspace whose records a command reads.
final class RecordedWorkspace {

    @Option(names = "--workspace", paramLabel = "DIR", description = "whose ledger to read (default: .npuflow beside the root pom, or here)")
    private @Nullable Path workspace;

    /// @throws NpuflowException NPF-613 if nothing is recorded there, and as [Ledger#openToRead]
    Ledger open() {
        Path directory = ModelLocator.workspace(Optional.ofNullable(workspace));
        return Ledger.openToRead(directory).orElseThrow(() -> NpuflowException.badInput("NPF-613", "workspace", directory, "a workspace in which a phase was run",
                "npuflow deploy tiny_kjv, or another --workspace"));
    }
}
