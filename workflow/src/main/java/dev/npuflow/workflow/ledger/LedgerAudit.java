package dev.npuflow.workflow.ledger;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a walk over the whole ledger found.
///
/// @param records links of the chain, as its head counts them
/// @param head    hash of the last link: noted elsewhere, it shows later that nothing before it was changed
public record LedgerAudit(long records, String head, List<Finding> findings) {

    /// One thing that is not as npuflow left it.
    ///
    /// @param table `chain` or `head` where no row is to blame alone
    /// @param row   its key, such as `17`, `3/0` (run and ordinal of an attempt) or a plan's hash
    /// @param what  one line for people
    public record Finding(String table, String row, String what) {}

    public LedgerAudit {
        findings = List.copyOf(findings);
    }

    static LedgerAudit of(Database database, Optional<String> noted) {
        Chain chain = new Chain(database);
        List<Finding> odd = new LedgerObjects(database).findings();
        if (odd.stream().anyMatch(LedgerObjects::lost)) {
            return new LedgerAudit(0, Chain.START, odd);
        }
        Chain.Head head = chain.head();
        return new LedgerAudit(head.records(), head.hash(), Stream.of(odd, new ChainWalk(chain).findings(noted), new UnprovenPlans(database).findings()).flatMap(List::stream).toList());
    }
}
