package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.workflow.fault.NpuflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevelopmentIndexTest {

    @TempDir private Path root;

    @Test void lists_every_models_documents_by_name_and_leaves_out_what_it_did_not_write() throws Exception {
        for (String model : new String[] {"b|model", "a_model"}) {
            Path documents = Files.createDirectories(root.resolve("llms").resolve(model).resolve("docs/development_progress"));
            Files.writeString(documents.resolve("phase5_decode.md"), PhaseDocumentTest.document("").render());
            Files.writeString(documents.resolve("notes.md"), "# Notes of a person");
        }
        Files.createDirectories(root.resolve("llms/without_documents"));
        assertEquals("""
                # Development progress

                Written by npuflow from the models' documents; a change made here is lost with the next run.

                | Model | Phase | Status | ms before | ms after | Speed-up | Figures | Document |
                |---|--:|---|--:|--:|--:|---|---|
                | a_model | 5 | PASS | 81.3140 | 32.8340 | 2.48× | simulated on npu2, uncalibrated | \
                [phase5_decode.md](../../llms/a_model/docs/development_progress/phase5_decode.md) |
                | b\\|model | 5 | PASS | 81.3140 | 32.8340 | 2.48× | simulated on npu2, uncalibrated | \
                [phase5_decode.md](../../llms/b\\|model/docs/development_progress/phase5_decode.md) |
                """, DevelopmentIndex.render(root.resolve("llms"), root.resolve("docs/development_progress/README.md")));
    }

    @Test void a_todo_list_gets_its_box_ticked_and_one_line_and_keeps_a_persons_own() {
        PhaseMarker marker = new PhaseMarker(5, "PASS", 10, 4);
        String text = "# toy\n- [ ] Phase 4: Prefill Opt\n- [ ] Phase 5: Decode Opt (Ann looks at it)\n  - ask Bob\n- [ ] Phase 50\n";
        String once = TodoList.updated(text, marker);
        assertEquals("# toy\n- [ ] Phase 4: Prefill Opt\n- [x] Phase 5: Decode Opt (Ann looks at it)\n"
                + "  - npuflow: 10.0000 → 4.0000 ms/token (2.50×), PASS\n  - ask Bob\n- [ ] Phase 50\n", once);
        assertEquals(once, TodoList.updated(once, marker));
        assertEquals(once.replace("[x]", "[ ]").replace("4.0000 ms/token (2.50×), PASS", "9.0000 ms/token (1.11×), FAIL"),
                TodoList.updated(once, new PhaseMarker(5, "FAIL", 10, 9)));
    }

    @Test void a_todo_list_without_the_phase_gets_it_and_line_ends_stay() {
        assertEquals("mine\r\n- [x] Phase 5\r\n  - npuflow: 10.0000 → 4.0000 ms/token (2.50×), PASS\r\n",
                TodoList.updated("mine\r\n", new PhaseMarker(5, "PASS", 10, 4)));
    }

    @Test void a_todo_file_that_is_missing_is_not_made_and_one_that_is_no_text_is_refused_unchanged() throws Exception {
        Path file = root.resolve("TODO.md");
        TodoList.update(file, PhaseDocumentTest.document("").marker());
        assertFalse(Files.exists(file));
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        NpuflowException fault = assertThrows(NpuflowException.class, () -> TodoList.update(file, PhaseDocumentTest.document("").marker()));
        assertEquals("NPF-512", fault.id());
        assertEquals(2, Files.size(file));
    }
}
