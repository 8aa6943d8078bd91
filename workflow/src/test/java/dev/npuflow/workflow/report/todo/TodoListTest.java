package dev.npuflow.workflow.report.todo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.report.todo.TodoFacts.PhaseLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TodoListTest {

    private static final PhaseLine PASSED = new PhaseLine(5, true, "10 → 4 ms/token, PASS", Optional.empty());
    private static final PhaseLine FAILED = new PhaseLine(5, false, "10 → 9 ms/token, FAIL", Optional.of("FAIL, prompt 3"));

    private static final String AFTER_PASS = """
            # toy

            ## Phase status

            - [ ] Phase 0: Build CPU Reference
            - [ ] Phase 1: Kernel Validation
            - [ ] Phase 2: Single-Block
            - [ ] Phase 3: Full-Model
            - [ ] Phase 4: Prefill Opt
            - [x] Phase 5: Decode Opt
              - npuflow: 10 → 4 ms/token, PASS
            - [ ] Phase 6: Finalize & Learn
            - [ ] Phase 7: Independent Evaluation

            ## Active blockers

            None.

            ## Resolved config

            | Field | Value |
            |---|---|
            | n_layers | 4 |
            | rope_theta | 500000 |
            """;

    private static final String AFTER_FAIL = AFTER_PASS.replace("[x]", "[ ]").replace("10 → 4 ms/token, PASS", "10 → 9 ms/token, FAIL")
            .replace("None.", "- npuflow: Phase 5: FAIL, prompt 3");

    @TempDir private Path folder;

    private static TodoFacts facts(PhaseLine... phases) {
        SequencedMap<String, String> config = new LinkedHashMap<>();
        config.put("n_layers", "4");
        config.put("rope_theta", "500000");
        return new TodoFacts("toy", List.of(phases), config);
    }

    private static String updated(String text, PhaseLine... phases) {
        return TodoList.updated(text, facts(phases));
    }

    @Test void a_new_list_has_the_three_blocks_and_what_is_known() {
        assertEquals(AFTER_PASS, updated("", PASSED));
        assertEquals(AFTER_FAIL, updated("", FAILED));
    }

    @Test void a_phase_that_fails_gets_its_blocker_and_loses_it_when_it_passes() {
        assertEquals(AFTER_FAIL, updated(AFTER_PASS, FAILED));
        assertEquals(AFTER_PASS, updated(AFTER_FAIL, PASSED));
        assertEquals(AFTER_FAIL, updated(AFTER_FAIL, FAILED));
        assertEquals(AFTER_PASS, updated(AFTER_PASS), "of a phase that nothing is known of, nothing changes");
    }

    /// A line of a person at every place there is: what is left when it is taken out again is what the update makes without it.
    @ParameterizedTest @ValueSource(strings = {"\n", "\r\n"}) void a_persons_line_stays_wherever_it_stands(String lineEnd) {
        String note = "  - Ann: ask Bob | twice" + lineEnd;
        List<String> lines = linesOf(AFTER_PASS.replace("\n", lineEnd));
        for (int place = 0; place <= lines.size(); place++) {
            List<String> noted = new ArrayList<>(lines);
            noted.add(place, note);
            for (PhaseLine phase : List.of(PASSED, FAILED)) {
                String after = updated(String.join("", noted), phase);
                assertTrue(after.contains(note), after);
                String without = after.replace(note, "");
                assertEquals((phase.done() ? AFTER_PASS : AFTER_FAIL).replace("\n", lineEnd), asAlone(without, lineEnd), "note before line " + place);
                assertEquals(after, updated(after, phase), "a second time changes nothing");
            }
        }
    }

    /// Beside a person's own blocker ours is added, not put in the place of `None.`.
    private static String asAlone(String text, String lineEnd) {
        return text.replace("None." + lineEnd + "- npuflow: Phase", "- npuflow: Phase");
    }

    private static List<String> linesOf(String text) {
        return List.of(text.split("(?<=\\n)"));
    }

    @Test void line_ends_stay_as_they_are_each_for_itself() {
        String mixed = AFTER_PASS.replace("# toy\n", "# toy\r\n").replace("PASS\n", "PASS\r\n") + "\rold mac\rlast line without an end";
        assertEquals(mixed.replace("[x]", "[ ]").replace("10 → 4 ms/token, PASS", "10 → 9 ms/token, FAIL").replace("None.", "- npuflow: Phase 5: FAIL, prompt 3"),
                updated(mixed, FAILED));
    }

    @Test void a_text_without_an_end_to_its_last_line_gets_what_it_lacks_and_keeps_what_it_has() {
        String after = updated("mine", PASSED);
        assertEquals("mine\n\n" + AFTER_PASS.substring("# toy\n\n".length()).stripTrailing(), after);
        assertEquals(after, updated(after, PASSED));
    }

    @Test void boxes_that_are_missing_come_where_they_belong() {
        String text = "# toy\n- [ ] Phase 4: Prefill Opt\n- [X] Phase 5: Decode Opt (Ann looks at it)\n  - ask Bob\n\nMore.\n- [ ] Phase 50\n";
        String after = updated(text, FAILED);
        assertTrue(after.startsWith("""
                # toy
                - [ ] Phase 0: Build CPU Reference
                - [ ] Phase 1: Kernel Validation
                - [ ] Phase 2: Single-Block
                - [ ] Phase 3: Full-Model
                - [ ] Phase 4: Prefill Opt
                - [ ] Phase 5: Decode Opt (Ann looks at it)
                  - npuflow: 10 → 9 ms/token, FAIL
                  - ask Bob

                More.
                """), after);
        assertEquals(after, updated(after, FAILED));
        assertEquals(1, after.split("\\[.\\] Phase 50\n", -1).length - 1, after);
    }

    @Test void a_value_that_is_wrong_is_corrected_and_what_a_person_added_to_the_table_is_not() {
        String text = AFTER_PASS.replace("| n_layers | 4 |", "| n_layers | 5 | Ann counted |").replace("| rope_theta | 500000 |", "| bench | board 7 |");
        assertEquals(AFTER_PASS.replace("| n_layers | 4 |", "| n_layers | 4 | Ann counted |").replace("| rope_theta", "| bench | board 7 |\n| rope_theta"),
                updated(text, PASSED));
    }

    @Test void what_looks_like_ours_in_a_code_block_is_a_persons() {
        String code = "```\n## Active blockers\n- [ ] Phase 5: mine\n| n_layers | 9 |\n```\n";
        assertEquals(code + "\n" + AFTER_PASS.substring("# toy\n\n".length()), updated(code, PASSED));
        assertEquals("```\n" + AFTER_PASS, updated("```\n" + AFTER_PASS, PASSED), "a code block that nothing closes is none");
    }

    @Test void a_persons_blockers_stay_beside_ours() {
        String text = AFTER_PASS.replace("None.", "- Ann waits for the board");
        String failed = updated(text, FAILED);
        assertEquals(text, updated(failed, PASSED));
        assertTrue(failed.contains("- Ann waits for the board\n- npuflow: Phase 5: FAIL, prompt 3\n\n## Resolved"), failed);
    }

    @Test void a_reason_of_several_lines_is_one() {
        assertEquals(AFTER_FAIL.replace("prompt 3", "prompt 3 ## Resolved config"),
                updated(AFTER_PASS, new PhaseLine(5, false, "10 → 9 ms/token, FAIL", Optional.of("FAIL, prompt 3\n## Resolved config"))));
    }

    @Test void a_file_is_made_where_there_is_none_and_not_written_where_nothing_changes() throws Exception {
        Path file = folder.resolve("TODO.md");
        assertTrue(TodoList.update(file, facts(PASSED)));
        assertEquals(AFTER_PASS, Files.readString(file));
        assertFalse(TodoList.update(file, facts(PASSED)));
    }

    @Test void a_file_that_is_no_text_is_refused_unchanged() throws Exception {
        Path file = folder.resolve("TODO.md");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        NpuflowException fault = assertThrows(NpuflowException.class, () -> TodoList.update(file, facts(PASSED)));
        assertEquals("NPF-512", fault.id());
        assertEquals(2, Files.size(file));
    }
}
