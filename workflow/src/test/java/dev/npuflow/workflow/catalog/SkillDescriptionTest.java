package dev.npuflow.workflow.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SkillDescriptionTest {

    @Test void failure_modes_are_the_rows_under_their_heading() {
        assertEquals(List.of(new FailureMode("slow", "too much", "less"), new FailureMode("wrong", "stale", "write it")), SkillDescription.failureModes("""
                ## What it does

                | not | one | of them |
                |---|---|---|
                | a | b | c |

                ## Failure modes

                | symptom | cause | remedy |
                |---|---|---|
                | slow | too much | less |
                | wrong | stale | write it |

                ## After
                | d | e | f |
                """));
    }

    @Test void a_row_that_lacks_a_cell_or_a_symptom_is_none() {
        assertEquals(List.of(), SkillDescription.failureModes("## Failure modes\n| s | c | r |\n|---|---|---|\n| slow |\n|  | cause | remedy |\nslow\n"));
        assertEquals(List.of(), SkillDescription.failureModes("no heading\n| s | c | r |\n|---|---|---|\n| slow | c | r |\n"));
    }

    @Test void control_characters_of_a_cell_do_not_reach_the_terminal() {
        assertEquals("slow  [31m", SkillDescription.failureModes("## Failure modes\n|s|c|r|\n|-|-|-|\n| slow \u001b[31m | c | r |").getFirst().symptom());
    }
}
