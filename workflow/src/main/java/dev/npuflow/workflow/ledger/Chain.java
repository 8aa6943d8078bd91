package dev.npuflow.workflow.ledger;

import dev.npuflow.workflow.file.ContentHash;
import java.util.Collections;
import java.util.List;

/// Writes records, each linked to the one before it:
///
///     hash of a link = SHA-256(hash of the link before, number, table, row, hash of each column)
///
/// The number of links and the last hash stand in `head`, so that a lost end is seen too. Whoever changes a row has to write every later link and the head
/// anew. Whoever does so is not found out, for there is no key: only a head that was noted elsewhere shows it (docs/adr/0007).
final class Chain {

    /// The hash before the first link.
    static final String START = "0".repeat(64);

    private final Database database;

    Chain(Database database) {
        this.database = database;
    }

    /// The end of the chain.
    ///
    /// @param records how many links there are
    /// @param table   of the last link's row; empty before the first
    /// @param row     its key
    record Head(long records, String hash, String table, String row) {}

    /// One link.
    ///
    /// @param number  counted from 1 without a gap
    /// @param content as [StoredRow#content]
    record Link(long number, String table, String row, String content, String hash) {

        /// What its hash has to be behind another.
        String hashAfter(String before) {
            return ContentHash.of(String.join("\n", before, Long.toString(number), table, row, content));
        }
    }

    /// Writes a record. Within a transaction.
    ///
    /// @param values of [Table#given], in order
    /// @return the row's number, where it has one
    long append(Table table, Object... values) {
        List<String> given = table.given();
        long row = database.update("INSERT INTO " + table.sql() + " (" + String.join(", ", given) + ") VALUES ("
                + String.join(", ", Collections.nCopies(given.size(), "?")) + ")", values);
        link(table, database.query(select(table) + " WHERE rowid = ?", stored -> StoredRow.read(table, stored), row).stream().findFirst()
                .orElseThrow(() -> Database.damaged(database.file(), "a record that is gone as soon as it is written")));
        return row;
    }

    /// Links what is in a table already, as it is. Within a transaction.
    void adopt(Table table) {
        rows(table).forEach(row -> link(table, row));
    }

    /// Every row of a table, in the order of writing.
    List<StoredRow> rows(Table table) {
        return database.query(select(table) + " ORDER BY rowid", row -> StoredRow.read(table, row));
    }

    private static String select(Table table) {
        return "SELECT " + String.join(", ", table.columns()) + " FROM " + table.sql();
    }

    Head head() {
        return database.query("SELECT records, hash, record, row FROM head",
                row -> new Head(row.getLong(1), row.getString(2), row.getString(3), row.getString(4))).stream().findFirst()
                .orElseThrow(() -> Database.damaged(database.file(), "its chain of records has no head"));
    }

    List<Link> links() {
        return database.query("SELECT number, record, row, content, hash FROM chain ORDER BY number",
                row -> new Link(row.getLong(1), row.getString(2), row.getString(3), row.getString(4), row.getString(5)));
    }

    /// A ledger that lost its end is not gone on with: what would be linked to it hid the loss.
    private void link(Table table, StoredRow row) {
        Head head = head();
        String last = database.query("SELECT number, hash FROM chain ORDER BY number DESC LIMIT 1", found -> found.getLong(1) + " " + found.getString(2))
                .stream().findFirst().orElse("0 " + START);
        if (!last.equals(head.records() + " " + head.hash())) {
            throw Database.damaged(database.file(), "its chain of records does not end as its head says");
        }
        Link unhashed = new Link(head.records() + 1, table.sql(), row.key(), row.content(), "");
        String hash = unhashed.hashAfter(head.hash());
        database.update("INSERT INTO chain (number, record, row, content, hash) VALUES (?, ?, ?, ?, ?)", unhashed.number(), unhashed.table(), unhashed.row(), unhashed.content(),
                hash);
        database.update("UPDATE head SET records = ?, hash = ?, record = ?, row = ?", unhashed.number(), hash, unhashed.table(), unhashed.row());
    }
}
