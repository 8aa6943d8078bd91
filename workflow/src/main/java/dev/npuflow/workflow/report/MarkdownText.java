package dev.npuflow.workflow.report;

import dev.npuflow.fault.OneLine;

/// Foreign text inside our markdown: a prompt, a token or a skill's reason must not be able to end a table's cell or line.
public final class MarkdownText {

    private MarkdownText() {}

    /// One line, no cell border.
    public static String cell(String text) {
        return line(text).replace("|", "\\|");
    }

    /// One line and no HTML: every line break, control and format character becomes a blank.
    public static String line(String text) {
        return OneLine.of(text).replace("<", "\\<").strip();
    }
}
