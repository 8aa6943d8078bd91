package dev.npuflow.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTest {

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\t", "\u0000", "\u001b", "\u009b", "\u0085", "\u2028", "\u2029", "\u200e", "\u202e", "\u2066", "\ufeff", "\ud800"})
    void a_character_that_ends_a_line_or_steers_a_terminal_becomes_a_blank(String odd) {
        assertEquals("a b", OneLine.of("a" + odd + "b"));
        assertFalse(OneLine.is("a" + odd + "b"));
    }

    @Test void a_run_of_them_becomes_one_blank() {
        assertEquals("a [31mb", OneLine.of("a\r\n\u202e\u001b[31mb"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npu2", "a  b", "Größe → 2 µs", "台灣", "😀", ""})
    void plain_text_stays_as_it_is(String text) {
        assertEquals(text, OneLine.of(text));
        assertEquals(text, OneLine.each(text));
        assertTrue(OneLine.is(text));
    }

    @Test void text_of_several_lines_keeps_its_line_feeds_and_tabs_and_nothing_else() {
        assertEquals("a\n\tb [31mc d\n", OneLine.each("a\n\tb\u001b[31mc\u202ed\n"));
    }

    @Test void of_a_long_text_the_middle_is_left_out_and_never_half_a_character() {
        assertEquals("/a/lo…ead", OneLine.middle("/a/long/path/read", 9));
        assertEquals("abcdef", OneLine.middle("abcdef", 6));
        assertEquals("abcd…g", OneLine.middle("abcdef😀g", 7));
        assertEquals("ab…ij", OneLine.middle("ab😀efghij", 6));
    }

    @Test void a_long_text_is_cut_and_never_within_a_character() {
        assertEquals("abc…", OneLine.of("abcdef", 4));
        assertEquals("ab…", OneLine.of("ab😀cd", 4));
        assertEquals("abcd", OneLine.of("abcd", 4));
    }
}
