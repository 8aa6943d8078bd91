package dev.npuflow.workflow.file;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.MismatchedInputException;

/// What is wrong with a text that is no JSON or YAML, and where, in words for people: a parser's own message speaks of its classes and switches.
public final class SyntaxReason {

    private static final Pattern TWICE = Pattern.compile("^Duplicate Object property \"(.{1,60})\"", Pattern.DOTALL);

    private SyntaxReason() {}

    /// Such as `it ends too early, line 3, column 17`.
    public static String of(JacksonException broken) {
        TokenStreamLocation at = broken.getLocation();
        boolean known = at != null && at.getLineNr() > 0 && at.getColumnNr() > 0;
        return what(broken) + (known ? ", line " + at.getLineNr() + ", column " + at.getColumnNr() : "");
    }

    private static String what(JacksonException broken) {
        String message = String.valueOf(broken.getOriginalMessage());
        Matcher twice = TWICE.matcher(message);
        if (twice.find()) {
            return "field " + twice.group(1) + " stands twice";
        }
        return switch (broken) {
            case UnexpectedEndOfInputException _ -> "it ends too early";
            case StreamConstraintsException _ -> "nested too deep, or a name or number too long";
            case MismatchedInputException _ -> "something stands behind its end";
            default -> message.startsWith("Invalid UTF-8") ? "not UTF-8" : "an unexpected character or word";
        };
    }
}
