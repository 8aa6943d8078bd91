package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OwnBlockTest {

    private static final String OURS = "<!-- a -->\nnew\n<!-- z -->";

    private static String put(String text) {
        return OwnBlock.put(text, "<!-- a -->", "new\n", "<!-- z -->");
    }

    @Test void a_block_is_replaced_where_it_stands_and_added_where_it_does_not() {
        assertEquals("Ann\r\n" + OURS + "Bob", put("Ann\r\n<!-- a -->\nold\n<!-- z -->Bob"));
        assertEquals("Ann\n\n" + OURS + "\n", put("Ann"));
        assertEquals("Ann\n\n" + OURS + "\n", put("Ann\n"));
        assertEquals(OURS + "\n", put(""));
        assertEquals(put("Ann\n"), put(put("Ann\n")));
    }

    @Test void what_lies_between_a_block_and_a_leftover_of_one_is_not_ours() {
        assertEquals("<!-- a -->\nAnn\n" + OURS + "\n", put("<!-- a -->\nAnn\n<!-- a -->\nold\n<!-- z -->\n"));
        assertEquals("<!-- z -->\nAnn\n" + OURS, put("<!-- z -->\nAnn\n<!-- a -->\nold\n<!-- z -->"));
        String once = put("<!-- a -->\nAnn\n");
        assertEquals("<!-- a -->\nAnn\n\n" + OURS + "\n", once);
        assertEquals(once, put(once));
    }
}
