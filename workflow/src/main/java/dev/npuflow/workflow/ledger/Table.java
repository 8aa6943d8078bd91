package dev.npuflow.workflow.ledger;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The tables that hold records: rows that are written once, never changed and never deleted. A table comes after those that it refers to.
enum Table {
    PLAN(List.of("hash"), List.of("json"), List.of()),
    RUN(List.of("id"), List.of("model", "phase", "device", "options", "schema"), List.of()),
    RUN_STATUS(List.of("id"), List.of("run", "status"), List.of("at")),
    ATTEMPT(List.of("run", "ordinal"), List.of("skill"), List.of()),
    MEASUREMENT(List.of("id"), List.of("run", "plan", "conditions", "profile"), List.of("at")),
    VERDICT(List.of("id"), List.of("run", "plan", "verdict", "report", "rules"), List.of("at")),
    EVENT(List.of("id"), List.of("run", "ordinal", "state", "code", "reason", "plan_before", "plan_after", "details"), List.of("at")),
    MIGRATION(List.of("id"), List.of("schema_before", "schema_after", "build"), List.of("at"));

    private static final List<String> NUMBERED = List.of("id");

    private final List<String> key;
    private final List<String> content;
    private final List<String> stamped;

    /// @param key     columns that name a row
    /// @param content what the writer gives
    /// @param stamped what SQLite gives: the time, UTC to the second
    Table(List<String> key, List<String> content, List<String> stamped) {
        this.key = key;
        this.content = content;
        this.stamped = stamped;
    }

    /// Its name in SQL.
    String sql() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<String> key() {
        return key;
    }

    /// Columns that a writer gives, in order. SQLite counts the rows that have a number.
    List<String> given() {
        return key.equals(NUMBERED) ? content : Stream.concat(key.stream(), content.stream()).toList();
    }

    List<String> columns() {
        return Stream.of(key, content, stamped).flatMap(List::stream).toList();
    }
}
