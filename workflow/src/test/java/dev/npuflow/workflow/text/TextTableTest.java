package dev.npuflow.workflow.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.workflow.text.TextTable.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    private static TextTable table() {
        TextTable table = new TextTable(2, Column.left("skill"), Column.right("ms"), Column.left("reason"));
        table.row("merge", "7.186", "62.7 % less");
        table.row("fuse", "—", "the width of the hidden layer must be divisible by 512");
        table.note("plan 64404efc82e9 again");
        return table;
    }

    @Test void columns_are_as_wide_as_their_cells_and_no_line_ends_in_blanks() {
        assertEquals(List.of(
                "  skill     ms  reason",
                "  merge  7.186  62.7 % less",
                "  fuse       —  the width of the hidden layer must be divisible by 512",
                "      plan 64404efc82e9 again"), table().lines(100));
    }

    @Test void free_text_wraps_between_words_in_what_the_other_columns_leave() {
        assertEquals(List.of(
                "  skill     ms  reason",
                "  merge  7.186  62.7 % less",
                "  fuse       —  the width of the hidden",
                "                layer must be divisible",
                "                by 512",
                "      plan 64404efc82e9 again"), table().lines(40));
    }

    @Test void free_text_that_would_be_too_narrow_goes_below_its_row() {
        assertEquals(List.of(
                "  skill     ms  reason",
                "  merge  7.186  62.7 % less",
                "  fuse       —",
                "      the width of the hidden layer",
                "          must be divisible by 512",
                "      plan 64404efc82e9 again"), table().lines(36));
    }

    @Test void names_that_alone_are_too_wide_are_cut_short_and_numbers_never_are() {
        TextTable table = new TextTable(0, Column.left("skill"), Column.right("ms"), Column.left("reason"));
        table.row("opt-of-a-stranger-with-a-long-name", "123456.789", "faster");
        assertEquals(List.of(
                "skill                      ms",
                "    reason",
                "opt-of-a-strange…  123456.789",
                "    faster"), table.lines(31));
    }

    @Test void a_table_without_headings_has_no_line_for_them() {
        TextTable table = new TextTable(0, Column.left(""), Column.left(""));
        table.row("layers", "16");
        table.row("hidden_size", "2048");
        assertEquals(List.of("layers       16", "hidden_size  2048"), table.lines(100));
        assertThrows(IllegalArgumentException.class, () -> table.row("one cell"));
    }

    @Test void signs_beyond_ascii_count_as_one_column_each() {
        TextTable table = new TextTable(0, Column.left("a"), Column.right("b"), Column.left("c"));
        table.row("×𝄞", "→", "—");
        table.row("xxx", "yyy", "z");
        assertEquals(List.of("a      b  c", "×𝄞     →  —", "xxx  yyy  z"), table.lines(100));
    }
}
