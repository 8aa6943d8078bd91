package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        Path unfinished = Files.createDirectories(root.resolve("llms/.new-1-model/docs/development_progress"));
        Files.writeString(unfinished.resolve("phase5_decode.md"), PhaseDocumentTest.document("").render());
        assertEquals("""
                # Development progress

                Written by npuflow from the models' documents; a change made here is lost with the next run.

                Milliseconds are those of the figure that decides: a token in Phases 3 and 5, the wall time of a prefill in Phase 4.

                | Model | Phase | Status | ms before | ms after | Speed-up | Figures | Document |
                |---|--:|---|--:|--:|--:|---|---|
                | a_model | 5 | PASS | 81.3140 | 32.8340 | 2.48× | simulated on npu2, uncalibrated | \
                [phase5_decode.md](../../llms/a_model/docs/development_progress/phase5_decode.md) |
                | b\\|model | 5 | PASS | 81.3140 | 32.8340 | 2.48× | simulated on npu2, uncalibrated | \
                [phase5_decode.md](../../llms/b\\|model/docs/development_progress/phase5_decode.md) |
                """, DevelopmentIndex.render(root.resolve("llms"), root.resolve("docs/development_progress/README.md")));
    }
}
