package dev.npuflow.workflow.generation;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import org.junit.jupiter.api.Test;

class TextRoomTest {

    /// Two of 512 positions are the prompt's.
    private static final TextRoom ROOM = new TextRoom(512, 2);

    @Test void prompt_and_new_tokens_may_fill_the_positions_and_not_one_more() {
        assertDoesNotThrow(() -> ROOM.requireTokens("-n", 510));
        assertEquals("NPF-806 prompt and new tokens (2 + 511): expected at most the model's 512 positions; try -n 510",
                assertThrows(NpuflowException.class, () -> ROOM.requireTokens("-n", 511)).getMessage());
    }

    @Test void decode_steps_follow_the_prefill_s_token_which_takes_a_position_too() {
        assertDoesNotThrow(() -> ROOM.requireSteps("--steps", 509));
        assertEquals("NPF-806 prompt, first token and decoded tokens (2 + 1 + 510): expected at most the model's 512 positions; try --steps 509",
                assertThrows(NpuflowException.class, () -> ROOM.requireSteps("--steps", 510)).getMessage());
    }

    @Test void a_prompt_that_fills_the_positions_is_to_be_shorter() {
        assertEquals("NPF-806 prompt and new tokens (512 + 1): expected at most the model's 512 positions; try a shorter prompt",
                assertThrows(NpuflowException.class, () -> new TextRoom(512, 512).requireTokens("-n", 1)).getMessage());
    }

    @Test void what_is_wished_for_is_cut_to_what_fits_but_never_to_nothing() {
        assertEquals(32, ROOM.steps(32));
        assertEquals(509, ROOM.steps(600));
        assertEquals(1, new TextRoom(512, 512).steps(32));
    }
}
