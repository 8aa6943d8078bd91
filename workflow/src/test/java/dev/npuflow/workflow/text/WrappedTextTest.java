package dev.npuflow.workflow.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class WrappedTextTest {

    @Test void a_line_that_fits_stays_as_it_is_with_its_inner_blanks() {
        assertEquals(List.of("  call   rms    gemm"), WrappedText.lines("  call   rms    gemm", 20));
    }

    @Test void a_line_that_is_too_wide_is_broken_at_the_last_blank_that_fits_and_indented_by_four_more() {
        assertEquals(List.of("  one two", "      three", "      four"), WrappedText.lines("  one two three four", 11));
        assertEquals(List.of("  one", "  two", "  three"), WrappedText.lines("  one two three", 7, 2));
    }

    @Test void a_path_or_hash_that_is_wider_than_the_line_is_left_whole() {
        String path = "programming_examples/llms/tiny_kjv/docs/phase5_decode.md";
        assertEquals(List.of("  document:", "      " + path, "      end"), WrappedText.lines("  document: " + path + " end", 30));
        assertEquals(List.of(path), WrappedText.lines(path, 10));
        assertEquals(List.of("    " + path), WrappedText.lines("    " + path, 10));
    }

    @Test void an_empty_line_is_one_line() {
        assertEquals(List.of(""), WrappedText.lines("", 10));
    }

    @Test void a_hash_is_shown_by_its_first_twelve_digits() {
        assertEquals("64404efc82e9", ShortHash.of("64404efc82e9edf62ceec667c977c1bc0a77e5bbe0e70321cc0ce7f94be2c166"));
        assertEquals("abc", ShortHash.of("abc"));
    }
}
