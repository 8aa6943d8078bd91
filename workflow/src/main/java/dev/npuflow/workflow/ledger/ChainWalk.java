package dev.npuflow.workflow.ledger;

import dev.npuflow.workflow.ledger.Chain.Head;
import dev.npuflow.workflow.ledger.Chain.Link;
import dev.npuflow.workflow.ledger.LedgerAudit.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Goes along the chain from its first link to its head, and compares each row with its link.
final class ChainWalk {

    private final Chain chain;
    private final List<Link> links;
    private final List<Finding> findings = new ArrayList<>();

    ChainWalk(Chain chain) {
        this.chain = chain;
        this.links = chain.links();
    }

    /// @param noted a head of this ledger that was noted at some time
    List<Finding> findings(Optional<String> noted) {
        walk();
        for (Table table : Table.values()) {
            rows(table);
        }
        List<String> tables = Stream.of(Table.values()).map(Table::sql).toList();
        links.stream().filter(link -> !tables.contains(link.table())).forEach(link -> add("chain", link.number(), "it links to %s, which is no table", link.table()));
        noted.filter(hash -> links.stream().noneMatch(link -> link.hash().equals(hash)))
                .ifPresent(hash -> findings.add(new Finding("head", hash, "no record has this hash: the ledger was written anew since it was noted, or is another")));
        return findings;
    }

    private void walk() {
        String before = Chain.START;
        String last = "the beginning";
        long expected = 1;
        for (Link link : links) {
            if (link.number() != expected) {
                add("chain", expected, "%d missing between %s and %s %s", link.number() - expected, last, link.table(), link.row());
            } else if (!link.hash().equals(link.hashAfter(before))) {
                add("chain", link.number(), "the link of %s %s does not follow from %s and what it holds", link.table(), link.row(), last);
            }
            before = link.hash();
            last = link.table() + " " + link.row();
            expected = link.number() + 1;
        }
        Head head = chain.head();
        if (head.records() > expected - 1) {
            add(head.table(), head.row(), "its record is missing: the chain ends with %s, %d before its head", last, head.records() - expected + 1);
        } else if (head.records() < expected - 1 || !head.hash().equals(before)) {
            add("head", head.records(), "the head is not that of the last record, %s", last);
        }
    }

    private void rows(Table table) {
        Map<String, StoredRow> rows = new LinkedHashMap<>();
        chain.rows(table).forEach(row -> rows.put(row.key(), row));
        Map<String, Link> recorded = new TreeMap<>();
        links.stream().filter(link -> link.table().equals(table.sql())).forEach(link -> recorded.put(link.row(), link));
        for (Link link : recorded.values().stream().sorted((one, other) -> Long.compare(one.number(), other.number())).toList()) {
            StoredRow row = rows.remove(link.row());
            if (row == null) {
                add(table.sql(), link.row(), "it is gone");
            } else if (!row.content().equals(link.content())) {
                compare(table, row, link, recorded);
            }
        }
        rows.keySet().forEach(key -> add(table.sql(), key, "no npuflow recorded it"));
    }

    private void compare(Table table, StoredRow row, Link link, Map<String, Link> recorded) {
        SequencedMap<String, String> then = digests(link);
        List<String> changed = row.digests().entrySet().stream().filter(now -> !now.getValue().equals(then.get(now.getKey()))).map(Map.Entry::getKey).toList();
        String swapped = recorded.values().stream().filter(other -> other != link && besidesKey(table, digests(other)).equals(besidesKey(table, row.digests()))).findFirst()
                .map(other -> ", and is what was recorded as %s %s".formatted(table.sql(), other.row())).orElse("");
        add(table.sql(), row.key(), "%s: not what was recorded%s", changed.isEmpty() ? "its link" : String.join(", ", changed), swapped);
    }

    private static SequencedMap<String, String> digests(Link link) {
        SequencedMap<String, String> digests = new LinkedHashMap<>();
        for (String digest : link.content().split(" ", -1)) {
            int sign = digest.indexOf('=');
            digests.put(sign < 0 ? digest : digest.substring(0, sign), digest.substring(sign + 1));
        }
        return digests;
    }

    private static Map<String, String> besidesKey(Table table, SequencedMap<String, String> digests) {
        Map<String, String> others = new TreeMap<>(digests);
        others.keySet().removeAll(table.key());
        return others;
    }

    private void add(String table, Object row, String what, Object... arguments) {
        findings.add(new Finding(table, row.toString(), what.formatted(arguments)));
    }
}
