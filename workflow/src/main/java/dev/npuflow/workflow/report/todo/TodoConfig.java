package dev.npuflow.workflow.report.todo;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The table of resolved fields. The second cell of a row that npuflow knows is its own; further cells and rows are people's.
record TodoConfig(TextLines lines) {

    private static final Pattern ROW = Pattern.compile("^(\\s*\\|\\s*([^|]*?)\\s*\\|)([^|]*)(\\|.*)$");

    void update(Map<String, String> config) {
        config.forEach(this::update);
    }

    private void update(String field, String value) {
        int from = lines.section(TodoList.CONFIG);
        int end = lines.sectionEnd(from);
        int row = lines.find(from, end, line -> {
            Matcher cells = ROW.matcher(line);
            return cells.matches() && cells.group(2).equals(field);
        });
        if (row >= 0) {
            Matcher cells = ROW.matcher(lines.get(row));
            if (cells.matches() && !cells.group(3).strip().equals(value)) {
                lines.set(row, "%s %s %s".formatted(cells.group(1), value, cells.group(4)));
            }
            return;
        }
        int last = lastRow(from, end);
        if (last < 0) {
            int behind = lines.withoutBlanks(from, end);
            lines.insert(behind, "");
            lines.insert(behind + 1, "| Field | Value |");
            lines.insert(behind + 2, "|---|---|");
            last = behind + 2;
        }
        lines.insert(last + 1, "| %s | %s |".formatted(field, value));
    }

    private int lastRow(int from, int end) {
        int last = -1;
        for (int row = lines.find(from, end, this::isRow); row >= 0; row = lines.find(row + 1, end, this::isRow)) {
            last = row;
        }
        return last;
    }

    private boolean isRow(String line) {
        return line.strip().startsWith("|");
    }
}
