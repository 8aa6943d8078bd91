package dev.npuflow.workflow.text;

import dev.npuflow.fault.OneLine;
import java.io.PrintWriter;

/// Where a command writes text for people: nothing wider than the terminal, or than 100 columns where there is none, so that what is piped does not depend on who
/// pipes it. What other programs read, JSON or a layout of mlir-air's, does not go through here.
public final class TextOutput {

    /// Columns where the output goes to no terminal.
    public static final int WIDTH = 100;

    private final PrintWriter out;
    private final int width;

    /// @param width columns
    public TextOutput(PrintWriter out, int width) {
        this.out = out;
        this.width = width;
    }

    public int width() {
        return width;
    }

    /// A line without control characters, broken between words where it is too wide.
    public void line(String line) {
        WrappedText.lines(OneLine.of(line), width).forEach(out::println);
    }

    /// @param hang columns that the second and later lines are indented by
    public void line(String line, int hang) {
        WrappedText.lines(OneLine.of(line), width, hang).forEach(out::println);
    }

    /// Text whose lines are as long as somebody else made them, such as a model or mlir-air's layout; without other control characters than line feeds and tabs.
    public void layout(String text) {
        out.println(OneLine.each(text));
    }

    public void table(TextTable table) {
        table.lines(width).forEach(out::println);
    }
}
