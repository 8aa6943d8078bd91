package dev.npuflow.workflow.cli.ledger;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.LedgerAudit;
import dev.npuflow.workflow.ledger.LedgerAudit.Finding;
import dev.npuflow.workflow.text.TextOutput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `npuflow ledger verify`.
@Command(name = "verify", mixinStandardHelpOptions = true,
        description = "Walks the chain of records and names each row that was changed, added or lost, and each plan that was kept without proof: exit 0 if there is none, else 1.")
final class VerifyLedgerCommand implements Callable<Integer> {

    @Mixin private RecordedWorkspace workspace = new RecordedWorkspace();

    @Option(names = "--head", paramLabel = "HASH", description = "a head that an earlier verify printed: it must still be in the chain")
    private @Nullable String head;

    @Mixin private Output output;

    @Override public Integer call() {
        try (Ledger ledger = workspace.open()) {
            LedgerAudit audit = ledger.audit(Optional.ofNullable(head));
            boolean intact = audit.findings().isEmpty();
            output.show(text -> print(text, audit, intact), () -> tree(audit, intact));
            return (intact ? ExitCode.PASSED : ExitCode.GATE_FAILED).code();
        }
    }

    private static Map<String, Object> tree(LedgerAudit audit, boolean intact) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("intact", intact);
        root.put("records", audit.records());
        root.put("head", audit.head());
        root.put("findings", audit.findings());
        return root;
    }

    private static void print(TextOutput out, LedgerAudit audit, boolean intact) {
        for (Finding finding : audit.findings()) {
            out.line("%s %s: %s".formatted(finding.table(), finding.row(), finding.what()));
        }
        out.line(intact ? "%d records, none changed, added or lost; head %s".formatted(audit.records(), audit.head())
                : "%d records, %d findings; head %s".formatted(audit.records(), audit.findings().size(), audit.head()));
    }
}
