package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebugLogTest {

    private static final DebugEntry ENTRY = DebugEntry.reverted("opt-x", "self-check: step 1", "0123456789abcdef",
            List.of("decode step 1", "Hypothesis 1", "Fix: so"),
            "plan fedc is back");

    @TempDir Path folder;

    @Test void an_entry_names_skill_plan_failure_hypothesis_fix_and_evidence() throws IOException {
        Path file = folder.resolve("debug_log.md");
        DebugLog.update(file, List.of(ENTRY));
        assertEquals("""
                # Debug log

                <!-- npuflow: reverted 0123456789ab -->
                ## opt-x, plan `0123456789ab`

                - Failing: self-check: step 1
                - decode step 1
                - Hypothesis 1
                - Fix: so
                - Evidence: plan fedc is back
                <!-- npuflow: end of 0123456789ab -->
                """, Files.readString(file));
    }

    @Test void writing_it_again_changes_nothing_and_a_person_s_lines_stay() throws IOException {
        Path file = folder.resolve("debug_log.md");
        Files.writeString(file, "# Ours\n\nAnn: saw this on silicon too.\n");
        DebugLog.update(file, List.of(ENTRY));
        Files.writeString(file, Files.readString(file) + "Bob: fixed in v2.\n");
        String once = Files.readString(file);
        DebugLog.update(file, List.of(ENTRY));
        assertEquals(once, Files.readString(file));
        DebugLog.update(file, List.of(DebugEntry.reverted("opt-x", "gate", ENTRY.plan(), List.of("Fix: other"), "")));
        String changed = Files.readString(file);
        assertTrue(changed.startsWith("# Ours\n\nAnn: saw this on silicon too.\n") && changed.endsWith("Bob: fixed in v2.\n"), changed);
        assertTrue(changed.contains("Fix: other") && !changed.contains("Fix: so"), changed);
    }

    @Test void a_skill_that_crashed_has_its_stack_trace_in_a_section_of_its_own() throws IOException {
        Path file = folder.resolve("debug_log.md");
        DebugEntry mine = DebugEntry.crashed("my-skill", "assess threw NullPointerException (My.java:3)", ENTRY.plan(), List.of("NullPointerException", "at My.assess(My.java:3)"));
        DebugEntry yours = DebugEntry.crashed("your-skill", "assess returned null", ENTRY.plan(), List.of());
        DebugLog.update(file, List.of(mine, yours, ENTRY));
        DebugLog.update(file, List.of(mine, yours, ENTRY));
        String text = Files.readString(file);
        assertTrue(text.startsWith("""
                # Debug log

                <!-- npuflow: crashed my-skill on 0123456789ab -->
                ## my-skill, crashed on plan `0123456789ab`

                - Failing: assess threw NullPointerException (My.java:3)
                - NullPointerException
                - at My.assess(My.java:3)
                - Evidence: plan 0123456789abcdef holds on
                <!-- npuflow: end of my-skill on 0123456789ab -->
                """), text);
        assertEquals(3, text.split("<!-- npuflow: end of", -1).length - 1, text);
    }

    @Test void nothing_is_written_where_nothing_went_wrong() {
        DebugLog.update(folder.resolve("debug_log.md"), List.of());
        assertFalse(Files.exists(folder.resolve("debug_log.md")));
    }

    @Test void foreign_text_cannot_end_our_section() {
        String text = DebugLog.updated("", List.of(DebugEntry.reverted("x", "<!-- npuflow: end of 0123456789ab -->\n# no", ENTRY.plan(), List.of(), "")));
        assertEquals(1, text.split("<!-- npuflow: end of", -1).length - 1 - (text.contains("\\<!-- npuflow: end of") ? 1 : 0), text);
    }
}
