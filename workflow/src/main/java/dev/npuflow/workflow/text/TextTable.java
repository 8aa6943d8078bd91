package dev.npuflow.workflow.text;

import dev.npuflow.fault.OneLine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A table for a terminal: as wide as its cells, and no wider than the terminal. Its last column is free text, which wraps in what the others leave; names that
/// alone are too wide are cut short.
public final class TextTable {

    private static final String GAP = "  ";
    /// Free text that would get less goes below its row.
    private static final int NARROWEST = 24;
    private static final int BELOW = 4;
    private static final int SHORTEST_NAME = 8;

    private final List<Column> columns;
    private final String indent;
    private final List<Line> lines = new ArrayList<>();

    /// @param indent  columns that every line is indented by
    /// @param columns the last one is free text
    public TextTable(int indent, Column... columns) {
        this.indent = " ".repeat(indent);
        this.columns = List.of(columns);
        if (Arrays.stream(columns).anyMatch(column -> column.header.isEmpty()) && !Arrays.stream(columns).allMatch(column -> column.header.isEmpty())) {
            throw new IllegalArgumentException("a column without a heading beside others that have one");
        }
    }

    /// @param right whether its cells are numbers
    public record Column(String header, boolean right) {

        public static Column left(String header) {
            return new Column(header, false);
        }

        public static Column right(String header) {
            return new Column(header, true);
        }
    }

    private sealed interface Line {

        record Row(List<String> cells) implements Line {}

        record Note(String text) implements Line {}
    }

    public void row(String... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException("%d cells in a table of %d columns".formatted(cells.length, columns.size()));
        }
        lines.add(new Line.Row(Arrays.stream(cells).map(OneLine::of).toList()));
    }

    /// A line below the row before it.
    public void note(String text) {
        lines.add(new Line.Note(OneLine.of(text)));
    }

    /// The table's lines for a terminal of so many columns.
    public List<String> lines(int width) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(WrappedText.columns(columns.get(i).header), lines.stream().flatMap(line -> line instanceof Line.Row(List<String> cells)
                    ? Stream.of(cells.get(column)) : Stream.empty()).mapToInt(WrappedText::columns).max().orElse(0));
        }
        shorten(widths, width);
        List<String> text = new ArrayList<>();
        if (columns.stream().anyMatch(column -> !column.header.isEmpty())) {
            row(columns.stream().map(Column::header).toList(), widths, width, text);
        }
        for (Line line : lines) {
            switch (line) {
                case Line.Row(List<String> cells) -> row(cells, widths, width, text);
                case Line.Note(String note) -> text.addAll(WrappedText.lines(indent + " ".repeat(BELOW) + note, width));
            }
        }
        return List.copyOf(text);
    }

    /// Takes from the widest column of names what the columns before the last are wider than the terminal; never from numbers.
    private void shorten(int[] widths, int width) {
        int last = widths.length - 1;
        int excess = indent.length() + GAP.length() * last + IntStream.range(0, last).map(i -> widths[i]).sum() - width;
        while (excess > 0) {
            int widest = IntStream.range(0, last).filter(i -> !columns.get(i).right).boxed().max(Comparator.comparingInt(i -> widths[i])).orElse(-1);
            if (widest < 0 || widths[widest] <= SHORTEST_NAME) {
                return;
            }
            int taken = Math.min(excess, widths[widest] - SHORTEST_NAME);
            widths[widest] -= taken;
            excess -= taken;
        }
    }

    private void row(List<String> cells, int[] widths, int width, List<String> text) {
        StringBuilder fixed = new StringBuilder(indent);
        int last = widths.length - 1;
        for (int i = 0; i < last; i++) {
            fixed.append(padded(cells.get(i), widths[i], columns.get(i).right)).append(GAP);
        }
        String free = cells.get(last);
        int start = fixed.length();
        String whole = fixed + (columns.get(last).right ? padded(free, widths[last], true) : free);
        if (WrappedText.columns(whole) <= width || free.isEmpty()) {
            text.add(whole.stripTrailing());
        } else if (width - start >= NARROWEST) {
            text.addAll(WrappedText.lines(whole, width, start));
        } else {
            text.add(fixed.toString().stripTrailing());
            text.addAll(WrappedText.lines(indent + " ".repeat(BELOW) + free, width));
        }
    }

    private static String padded(String cell, int width, boolean right) {
        int columns = WrappedText.columns(cell);
        String shown = columns > width ? cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + "…" : cell;
        String blanks = " ".repeat(Math.max(0, width - columns));
        return right ? blanks + shown : shown + blanks;
    }
}
