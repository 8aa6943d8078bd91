package dev.npuflow.workflow.scaffold;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.report.ArchitectureDocument;
import dev.npuflow.workflow.report.ProgressDocument;
import dev.npuflow.workflow.report.Templates;
import dev.npuflow.workflow.report.todo.TodoFacts;
import dev.npuflow.workflow.report.todo.TodoFacts.PhaseLine;
import dev.npuflow.workflow.report.todo.TodoList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// The documents of a model directory that follow from the model and its baseline plan alone. A new directory gets them, and an old one what it lacks; lines of
/// people stay.
///
/// | File | |
/// |---|---|
/// | `TODO.md` | three blocks kept up to date among people's lines, see [TodoList] |
/// | `ARCHITECTURE.md` | one part kept up to date, see [ArchitectureDocument] |
/// | `docs/development_progress/phase1_kernels.md` | written anew |
/// | `docs/development_progress/LESSONS.md`, `progress.md` | made if they are not there |
public record ModelDocuments(String name, ModelConfig config, WeightOrigin weights, Deployment baseline) {

    /// Where the documents of the phases stand in a model directory.
    public static final Path PROGRESS = Path.of("docs", "development_progress");

    private static final String LESSONS = "LESSONS.md";

    /// @param phases what is known of Phases 2 to 7
    /// @return the files that were made or changed, from the directory on
    /// @throws dev.npuflow.fault.NpuflowException NPF-510 where a file cannot be written, NPF-512 where one that people write in cannot be read
    public List<Path> complete(Path directory, List<PhaseLine> phases) {
        List<Path> changed = new ArrayList<>();
        if (TodoList.update(directory.resolve("TODO.md"), facts(phases))) {
            changed.add(Path.of("TODO.md"));
        }
        if (new ArchitectureDocument(name, config, baseline).update(directory.resolve("ARCHITECTURE.md"))) {
            changed.add(Path.of("ARCHITECTURE.md"));
        }
        make(directory, PROGRESS.resolve(LESSONS), Templates.render("lessons.md.ftl", view()), changed);
        make(directory, PROGRESS.resolve("progress.md"), pending(), changed);
        replace(directory, PROGRESS.resolve("phase1_kernels.md"), Templates.render("phase1_kernels.md.ftl", view()), changed);
        return List.copyOf(changed);
    }

    private TodoFacts facts(List<PhaseLine> phases) {
        List<PhaseLine> lines = new ArrayList<>();
        lines.add(switch (weights) {
            case FILE -> new PhaseLine(0, true, "every tensor is there, in the shape that config.json says", Optional.empty());
            case SYNTHETIC, NONE -> new PhaseLine(0, false, "no weights here; synthetic ones of the shapes that config.json says stand in", Optional.empty());
        });
        int kernels = KernelRow.of(baseline).size();
        lines.add(new PhaseLine(1, true, kernels + " of " + kernels + " kernels placed, see docs/development_progress/phase1_kernels.md", Optional.empty()));
        lines.addAll(phases);
        return new TodoFacts(name, lines, resolved());
    }

    /// The names of docs/upstream.md, "Phases".
    private SequencedMap<String, String> resolved() {
        SequencedMap<String, String> fields = new LinkedHashMap<>();
        fields.put("n_layers", Integer.toString(config.layers()));
        fields.put("emb_dim", Integer.toString(config.hiddenSize()));
        fields.put("n_heads", Integer.toString(config.heads()));
        fields.put("n_kv_heads", Integer.toString(config.keyValueHeads()));
        fields.put("head_dim", Integer.toString(config.headDim()));
        fields.put("hidden_dim", Integer.toString(config.intermediateSize()));
        fields.put("vocab_size", Integer.toString(config.vocabSize()));
        fields.put("rope_theta", config.rope().thetaText());
        return fields;
    }

    /// What a new directory's README says.
    String readme() {
        return Templates.render("new_readme.md.ftl", view());
    }

    private Map<String, Object> view() {
        Map<String, Object> view = new LinkedHashMap<>(resolved());
        view.put("name", name);
        view.put("architecture", config.architecture().className());
        view.put("linked", weights == WeightOrigin.FILE);
        view.put("kernels", KernelRow.of(baseline).stream().map(row -> List.of(row.phase(), "`" + row.kernel() + "`", row.shape(), row.herd(),
                row.tile().isEmpty() ? "—" : row.tile(), row.pingPong() ? "on" : "off", String.join(", ", row.calls()))).toList());
        return view;
    }

    private String pending() {
        return new ProgressDocument(name, Arrays.stream(GatedPhase.values()).map(phase -> new ProgressDocument.PhaseLine(phase.number(), ProgressDocument.PENDING, "",
                phase.document())).toList()).render("");
    }

    /// What a person may have begun is left alone, a link that leads nowhere too.
    private static void make(Path directory, Path file, String text, List<Path> changed) {
        if (!Files.exists(directory.resolve(file), LinkOption.NOFOLLOW_LINKS)) {
            WholeFile.replace(directory.resolve(file), text);
            changed.add(file);
        }
    }

    private static void replace(Path directory, Path file, String text, List<Path> changed) {
        try {
            Path target = directory.resolve(file);
            if (RegularFile.find(target).isEmpty() || !Files.readString(target).equals(text)) {
                WholeFile.replace(target, text);
                changed.add(file);
            }
        } catch (IOException unreadable) {
            WholeFile.replace(directory.resolve(file), text);
            changed.add(file);
        }
    }
}
