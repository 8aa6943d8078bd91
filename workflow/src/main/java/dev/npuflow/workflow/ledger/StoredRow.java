package dev.npuflow.workflow.ledger;

import dev.npuflow.workflow.file.ContentHash;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A row as it stands in the database, each column as a hash of its value.
///
/// @param key     what names the row in its table, such as `17`, `3/0` or a plan's hash
/// @param digests SHA-256 by column, in the table's order
record StoredRow(String key, SequencedMap<String, String> digests) {

    /// Reads a row of all columns of a table.
    static StoredRow read(Table table, ResultSet row) throws SQLException {
        SequencedMap<String, String> digests = new LinkedHashMap<>();
        for (String column : table.columns()) {
            digests.put(column, ContentHash.of(canonical(row.getObject(column))));
        }
        StringBuilder key = new StringBuilder();
        for (String column : table.key()) {
            key.append(key.isEmpty() ? "" : "/").append(row.getString(column));
        }
        return new StoredRow(key.toString(), digests);
    }

    /// A value with its kind: the text `1` and the number are two values.
    private static String canonical(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> "text " + text;
            case byte[] bytes -> "bytes " + HexFormat.of().formatHex(bytes);
            case Object number -> "number " + number;
        };
    }

    /// What a link of the chain holds of it: `column=digest`, by spaces.
    String content() {
        return digests.entrySet().stream().map(digest -> digest.getKey() + "=" + digest.getValue()).collect(Collectors.joining(" "));
    }
}
