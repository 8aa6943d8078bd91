package dev.npuflow.workflow.ablation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.ablation.Ablation.Interaction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class AblationTest {

    @Test void the_sets_are_none_each_alone_all_but_one_and_all() {
        assertEquals(List.of(List.of(), List.of("a"), List.of("b"), List.of("c"), List.of("b", "c"), List.of("a", "c"), List.of("a", "b"),
                List.of("a", "b", "c")),
                Ablation.sets(List.of("a", "b", "c")));
    }

    @Test void no_set_is_measured_twice() {
        assertEquals(List.of(List.of(), List.of("a"), List.of("b"), List.of("a", "b")), Ablation.sets(List.of("a", "b")));
        assertEquals(List.of(List.of(), List.of("a")), Ablation.sets(List.of("a")));
    }

    @Test void an_interaction_is_what_a_skill_saves_more_on_top_of_the_others() {
        Ablation ablation = new Ablation(List.of("a", "b"), List.of(row(10), row(8, "a"), row(9, "b"), row(5, "a", "b")));
        assertEquals(List.of(new Interaction("a", 2, 4), new Interaction("b", 1, 3)), ablation.interactions());
        assertEquals(2, ablation.interactions().getFirst().interaction());
        assertEquals(2, ablation.speedUp(ablation.rows().getLast()).getAsDouble());
    }

    @Test void a_set_that_was_not_measured_has_no_figures() {
        AblationRow missing = new AblationRow(List.of("a"), Optional.empty(), OptionalDouble.empty(), AblationRow.NOT_MADE, "a: REPEAT in x");
        Ablation ablation = new Ablation(List.of("a"), List.of(row(10), missing));
        assertEquals(List.of(), ablation.interactions());
        assertTrue(AblationText.markdown(ablation).contains("| a | — | — | NOT_MADE | a: REPEAT in x |"), AblationText.markdown(ablation));
    }

    private static AblationRow row(double milliseconds, String... skills) {
        return new AblationRow(List.of(skills), Optional.of("0123456789abcdef"), OptionalDouble.of(milliseconds), "PASS", "");
    }
}
