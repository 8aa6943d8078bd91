package dev.npuflow.npu;

import java.util.Optional;

/// What went wrong, in the parts that a program can use.
///
/// @param id       `NPF-` and three digits, as in `docs/errors.md`
/// @param what     the thing at fault, such as an option or a file
/// @param value    what it is or was given as; empty where nothing was given
/// @param expected what would have done
/// @param remedy   what to try
public record Fault(String id, String what, Optional<String> value, String expected, String remedy) {

    /// A fault of a thing that has a value.
    public static Fault of(String id, String what, Object value, String expected, String remedy) {
        return new Fault(id, what, Optional.of(String.valueOf(value)), expected, remedy);
    }

    /// A fault without a value: something is missing, or two things exclude each other.
    public static Fault of(String id, String what, String expected, String remedy) {
        return new Fault(id, what, Optional.empty(), expected, remedy);
    }

    /// `NPF-123 what (value): expected X; try Y`. Names inside a hostile file may hold line breaks or terminal controls; this stays one plain line.
    public String line() {
        String subject = what + value.map(given -> " (" + given + ")").orElse("");
        return "%s %s: expected %s; try %s".formatted(id, subject, expected, remedy).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]+", " ");
    }
}
