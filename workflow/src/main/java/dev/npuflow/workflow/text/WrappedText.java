package dev.npuflow.workflow.text;

import java.util.ArrayList;
import java.util.List;

/// Breaks lines between words. A word that is wider than the line is left whole: a path or a hash that is broken cannot be copied.
public final class WrappedText {

    private static final int HANG = 4;

    private WrappedText() {}

    /// A line in as many as it needs; the second and later ones are indented by four more than the first.
    ///
    /// @param width columns of the terminal
    public static List<String> lines(String line, int width) {
        return lines(line, width, indentation(line) + HANG);
    }

    /// @param hang columns that the second and later lines are indented by
    public static List<String> lines(String line, int width, int hang) {
        List<String> lines = new ArrayList<>();
        String indent = " ".repeat(hang);
        String rest = line;
        while (columns(rest) > width) {
            int end = end(rest, width, lines.isEmpty() ? indentation(line) : hang);
            if (end < 0) {
                break;
            }
            lines.add(rest.substring(0, end).stripTrailing());
            rest = indent + rest.substring(end).stripLeading();
        }
        lines.add(rest.stripTrailing());
        return List.copyOf(lines);
    }

    /// The blank to break at: the last one within the width, else the first one behind it; -1 if there is none behind the indentation.
    private static int end(String text, int width, int indented) {
        int limit = text.offsetByCodePoints(0, width);
        int last = text.lastIndexOf(' ', limit);
        int end = last > indented && !text.substring(0, last).isBlank() ? last : text.indexOf(' ', limit);
        return end < 0 || text.substring(end).isBlank() ? -1 : end;
    }

    static int indentation(String line) {
        return line.length() - line.stripLeading().length();
    }

    static int columns(String text) {
        return text.codePointCount(0, text.length());
    }
}
