package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.CheckedModel;
import dev.npuflow.workflow.scaffold.ModelDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The documents in the tree are what the tool writes: running it again changes nothing, and nothing that a person wrote between. All in a copy of the tree.
class CommittedDocumentsTest {

    /// What `make demo` runs, and README shows.
    static final String DEMO = "bin/npuflow phase5 tiny_kjv";

    private static final String NOTE = "Ann: the board in room 7 \t says | 6.6 <ms>";

    @TempDir Path folder;
    private TreeCopy tree;

    @BeforeEach void copy() throws IOException {
        tree = TreeCopy.in(folder);
    }

    @Test void the_demo_writes_what_is_committed_and_leaves_what_a_person_wrote() throws IOException, InterruptedException {
        SortedMap<String, String> committed = tree.documents();
        Path model = tree.model("tiny_kjv");
        note(model.resolve("TODO.md"), "\n");
        note(model.resolve("ARCHITECTURE.md"), "<!-- npuflow: baseline plan -->");
        note(model.resolve("docs/development_progress/LESSONS.md"), "\n");
        CommandRun run = tree.run("phase5", "tiny_kjv");
        assertEquals(0, run.exitCode(), run.out());
        assertEquals(shownInReadme(), run.out().substring(run.out().indexOf("Phase 5 (decode)")));
        SortedMap<String, String> written = tree.documents();
        assertTrue(written.values().stream().mapToInt(text -> text.split(NOTE.replace("|", "\\|"), -1).length - 1).sum() > 40);
        written.replaceAll((_, text) -> text.replace(NOTE + "\r\n", ""));
        assertEquals(committed, written);
    }

    private static String shownInReadme() throws IOException {
        return Markdown.read(Path.of(System.getProperty("npuflow.root")), "README.md").blocks().stream()
                .filter(block -> DocumentedCommand.shownBy(block).equals(Optional.of(DEMO))).findFirst().orElseThrow()
                .lines().stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /// The same line before each place, after the first and at the end.
    private static void note(Path file, String place) throws IOException {
        String text = Files.readString(file);
        int begin = text.indexOf(place);
        Files.writeString(file, text.substring(0, begin) + text.substring(begin).replace(place, place.equals("\n") ? "\n" + NOTE + "\r\n" : NOTE + "\r\n" + place)
                + NOTE + "\r\n");
    }

    /// Which documents a run writes, and where, does not depend on how many prompts judge its plans.
    private void judgedByOnePrompt() throws IOException {
        Path yaml = tree.model("tiny_kjv").resolve("model.yaml");
        Files.writeString(yaml, Files.readString(yaml).replaceFirst("phase_prompts: \\d+", "phase_prompts: 1"));
    }

    @Test void every_model_has_what_a_new_one_has() throws IOException {
        DeviceDescription device = Devices.load("npu2", List.of());
        SortedMap<String, List<Path>> lacking = new TreeMap<>();
        for (Path directory : tree.models()) {
            String name = directory.getFileName().toString();
            try (CheckedModel model = CheckedModel.of(directory)) {
                Deployment baseline = DeviceLowering.of(device).baseline(name, model.config());
                List<Path> changed = new ModelDocuments(name, model.config(), model.weights(), baseline).complete(directory, List.of());
                if (!changed.isEmpty()) {
                    lacking.put(name, changed);
                }
            }
        }
        assertEquals(new TreeMap<>(), lacking);
        assertEquals(10, tree.models().size());
    }

    @Test void what_would_be_on_another_device_is_no_document_of_the_tree() throws IOException, InterruptedException {
        judgedByOnePrompt();
        SortedMap<String, String> before = tree.documents();
        CommandRun run = tree.run("phase3", "tiny_kjv", "--set", "dram.read_gbps=20");
        assertEquals(0, run.exitCode(), run.out());
        assertEquals(before, tree.documents());
        assertTrue(Files.exists(tree.root().resolve(".npuflow/documents/tiny_kjv/phase3_full.md")), run.out());
    }

    @Test void an_experiment_and_a_report_on_it_leave_the_tree_as_it_is_and_say_so() throws IOException, InterruptedException {
        SortedMap<String, String> before = tree.documents();
        CommandRun run = tree.run("phase4", "tiny_kjv", "--order", "opt-layout-alignment");
        assertEquals(0, run.exitCode(), run.out());
        assertEquals(before, tree.documents(), "Phase 3, which ran first, too");
        assertTrue(run.out().contains("document: .npuflow/documents/tiny_kjv/phase4_prefill.md"), run.out());
        assertTrue(run.out().contains("an experiment (--order): the documents of the tree stay as they are"), run.out());
        CommandRun report = tree.run("report", "tiny_kjv");
        assertEquals(before, tree.documents());
        assertTrue(report.out().contains(".npuflow/documents/tiny_kjv/phase4_prefill.md\n  an experiment (--order)"), report.out());
        assertTrue(report.out().contains("programming_examples/llms/tiny_kjv/docs/development_progress/phase3_full.md\n"), report.out());
    }

    @Test void a_workspace_elsewhere_takes_the_documents_and_the_tree_keeps_its_own() throws IOException, InterruptedException {
        judgedByOnePrompt();
        Files.writeString(tree.model("tiny_kjv").resolve("TODO.md"), "mine\n");
        SortedMap<String, String> before = tree.documents();
        Path workspace = folder.resolve(".npuflow/mine");
        CommandRun run = tree.run("phase3", "tiny_kjv", "--workspace", workspace.toString());
        assertEquals(0, run.exitCode(), run.out());
        assertEquals(before, tree.documents());
        Path document = workspace.resolve("documents/tiny_kjv/phase3_full.md");
        assertTrue(Files.readString(document).contains("Result: **PASS**"));
        assertTrue(run.out().contains(tree.root().relativize(document).toString()), run.out());
    }
}
