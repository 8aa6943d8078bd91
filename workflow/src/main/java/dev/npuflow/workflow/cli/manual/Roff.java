package dev.npuflow.workflow.cli.manual;

/// Text in the language of manual pages, roff(7) with the macros of man(7).
final class Roff {

    private final StringBuilder page = new StringBuilder();

    /// A line that a macro begins. Arguments are quoted, so that a blank in one does not end it.
    Roff macro(String name, String... arguments) {
        page.append('.').append(name);
        for (String argument : arguments) {
            page.append(" \"").append(escaped(argument)).append('"');
        }
        page.append('\n');
        return this;
    }

    /// A line of text, with [#bold] and [#italic] in it.
    Roff line(String marked) {
        page.append(marked.startsWith(".") || marked.startsWith("'") ? "\\&" : "").append(marked).append('\n');
        return this;
    }

    Roff text(String plain) {
        return line(escaped(plain));
    }

    static String bold(String text) {
        return "\\fB" + escaped(text) + "\\fR";
    }

    static String italic(String text) {
        return "\\fI" + escaped(text) + "\\fR";
    }

    /// What roff would read as its own, or print as a typographic relative of what stands there, such as a hyphen for the minus of an option.
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> escaped.append(switch (c) {
            case '\\' -> "\\e";
            case '-' -> "\\-";
            case '\'' -> "\\(aq";
            case '"' -> "\\(dq";
            case '`' -> "\\(ga";
            case '^' -> "\\(ha";
            case '~' -> "\\(ti";
            case '\n', '\r', '\t' -> " ";
            default -> c < 127 ? Character.toString(c) : "\\[u%04X]".formatted(c);
        }));
        return escaped.toString();
    }

    @Override public String toString() {
        return page.toString();
    }
}
