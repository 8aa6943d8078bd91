package dev.npuflow.workflow.report.todo;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A text as lines that keep the line ends they came with, so that what is not changed stays byte for byte. Lines inside a fenced code block are a
/// person's, whatever they look like.
final class TextLines {

    private static final Pattern LINE = Pattern.compile("([^\\r\\n]*)(\\r\\n|\\n|\\r|$)");
    private static final Pattern FENCE = Pattern.compile("^ {0,3}(```|~~~).*");
    private static final Pattern HEADING = Pattern.compile("^#{1,2}\\s.*");

    private final List<Line> lines = new ArrayList<>();
    private final String lineEnd;

    private record Line(String text, String end) {}

    TextLines(String text) {
        lineEnd = text.contains("\r\n") ? "\r\n" : "\n";
        Matcher line = LINE.matcher(text);
        int at = 0;
        while (at < text.length() && line.find(at)) {
            lines.add(new Line(line.group(1), line.group(2)));
            at = line.end();
        }
    }

    int size() {
        return lines.size();
    }

    String get(int index) {
        return lines.get(index).text();
    }

    boolean blank(int index) {
        return get(index).isBlank();
    }

    /// Keeps the line's end.
    void set(int index, String text) {
        lines.set(index, new Line(text, lines.get(index).end()));
    }

    void remove(int index) {
        lines.remove(index);
    }

    /// A last line without an end gets one before a line is put behind it, and hands its lack on.
    void insert(int index, String text) {
        if (index == lines.size() && index > 0 && lines.getLast().end().isEmpty()) {
            lines.set(index - 1, new Line(lines.getLast().text(), lineEnd));
            lines.add(new Line(text, ""));
        } else {
            lines.add(index, new Line(text, lineEnd));
        }
    }

    void insert(int index, List<String> block) {
        for (int i = 0; i < block.size(); i++) {
            insert(index + i, block.get(i));
        }
    }

    void append(String text) {
        insert(lines.size(), text);
    }

    /// The first line from `from` to `to` (exclusive), outside code, that is as asked; −1 if there is none.
    int find(int from, int to, Predicate<String> wanted) {
        int i = 0;
        while (i < to) {
            int closed = closingFence(i);
            if (closed < 0 && i >= from && wanted.test(get(i))) {
                return i;
            }
            i = Math.max(i, closed) + 1;
        }
        return -1;
    }

    /// Where the code block that a line begins ends; −1 if it begins none, or one that nothing closes.
    private int closingFence(int line) {
        Matcher open = FENCE.matcher(get(line));
        if (!open.matches()) {
            return -1;
        }
        for (int i = line + 1; i < size(); i++) {
            Matcher close = FENCE.matcher(get(i));
            if (close.matches() && close.group(1).equals(open.group(1))) {
                return i;
            }
        }
        return -1;
    }

    /// The line after a section's heading; −1 where the heading is not there.
    int section(String heading) {
        int found = find(0, size(), line -> line.strip().equalsIgnoreCase(heading));
        return found < 0 ? -1 : found + 1;
    }

    /// Where the section that `from` lies in ends: at the next heading of the first or second level, or with the text.
    int sectionEnd(int from) {
        int next = find(from, size(), line -> HEADING.matcher(line).matches());
        return next < 0 ? size() : next;
    }

    /// `end` without the blank lines before it.
    int withoutBlanks(int from, int end) {
        int last = end;
        while (last > from && blank(last - 1)) {
            last--;
        }
        return last;
    }

    @Override public String toString() {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.text()).append(line.end()));
        return text.toString();
    }
}
