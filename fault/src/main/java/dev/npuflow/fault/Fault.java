package dev.npuflow.fault;

import java.util.Optional;

/// What went wrong, in the parts that a program can use. The parts are as they were given; [#line()] is fit for a terminal.
///
/// @param id       `NPF-` and three digits, as in `docs/errors.md`
/// @param exitCode that the command ends with
/// @param what     the thing at fault, such as an option or a file
/// @param value    what it is or was given as; empty where nothing was given
/// @param expected what would have done
/// @param remedy   what to try
public record Fault(String id, ExitCode exitCode, String what, Optional<String> value, String expected, String remedy) {

    private static final int LONGEST_PART = 1000;

    /// What may be there instead can be a list, such as the fields of a device file.
    private static final int LONGEST_LIST = 4000;

    /// Bad input without a value: something is missing, or two things exclude each other. Exit code 2.
    public static Fault badInput(String id, String what, String expected, String remedy) {
        return new Fault(id, ExitCode.BAD_INPUT, what, Optional.empty(), expected, remedy);
    }

    /// Bad input: exit code 2.
    ///
    /// @param value of `what`, as it was given
    public static Fault badInput(String id, String what, Object value, String expected, String remedy) {
        return new Fault(id, ExitCode.BAD_INPUT, what, Optional.of(String.valueOf(value)), expected, remedy);
    }

    /// The environment or the target failed: exit code 3.
    public static Fault environment(String id, String what, String expected, String remedy) {
        return new Fault(id, ExitCode.ENVIRONMENT, what, Optional.empty(), expected, remedy);
    }

    /// The environment or the target failed: exit code 3.
    ///
    /// @param value of `what`, as it was found
    public static Fault environment(String id, String what, Object value, String expected, String remedy) {
        return new Fault(id, ExitCode.ENVIRONMENT, what, Optional.of(String.valueOf(value)), expected, remedy);
    }

    /// `NPF-123 what (value): expected X; try Y`, one plain line whatever the parts hold: of a part that is very long the middle is left out.
    public String line() {
        String subject = OneLine.middle(what, LONGEST_PART) + value.map(given -> " (" + OneLine.middle(given, LONGEST_PART) + ")").orElse("");
        return OneLine.of("%s %s: expected %s; try %s".formatted(id, subject, OneLine.middle(expected, LONGEST_LIST), OneLine.middle(remedy, LONGEST_LIST)));
    }
}
