package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.ablation.Ablation;
import dev.npuflow.workflow.ablation.AblationRow;
import dev.npuflow.workflow.ablation.AblationRun;
import dev.npuflow.workflow.ablation.AblationText;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.text.TextOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow ablate MODEL`.
@Command(name = "ablate", mixinStandardHelpOptions = true,
        description = "Each skill that Phase 5 kept alone, all, and all but one, on the same baseline: what each is worth, and how they interact.")
final class AblateCommand implements Callable<Integer> {

    private static final String INTERRUPTED = "interrupted: an ablation keeps no plan; the same command begins again";

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;

    @Option(names = "--skills", split = ",", paramLabel = "SKILL", description = "these instead of the kept ones, in this order")
    private List<String> skills = new ArrayList<>();

    @Mixin private SkillOptions skillOptions;

    @Mixin private Output output;

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 0);
                OpenedDeployment opened = OpenedDeployment.open(options, progress);
                Ledger ledger = Ledger.open(opened.workspace())) {
            Optional<Run> phase5 = ledger.lastRun(opened.runKey(GatedPhase.DECODE)).filter(run -> run.status().judged());
            Optional<RecordedPhase> recorded = phase5.map(run -> new RecordedPhase(ledger, run.id())).filter(RecordedPhase::hasPlan);
            List<String> names = skills.isEmpty() ? recorded.map(RecordedPhase::keptSkills).orElse(List.of()) : skills;
            if (names.isEmpty()) {
                throw NpuflowException.badInput("NPF-531", "ablation of %s".formatted(opened.model().name()), "no skill",
                        "a finished Phase 5 that kept a skill", "npuflow phase5, or --skills");
            }
            Deployment baseline = recorded.map(found -> ledger.plan(found.startPlan())).orElseGet(opened.target()::baseline);
            SkillCatalog catalog = skillOptions.catalog();
            List<LoadedSkill> loaded = catalog.select(names);
            SortedMap<String, String> given = skillOptions.options(catalog);
            SortedMap<String, String> forSkills = given.isEmpty()
                    ? phase5.map(run -> catalog.requireOptions(RunDescription.skillOptions(ledger, run))).orElse(Collections.emptySortedMap()) : given;
            PhaseOptions phaseOptions = new PhaseOptions(names, forSkills, false, false, opened.prompts().phaseGate(),
                    opened.clamp(PhaseDescription.DECODE.tokens()), skillOptions.limit());
            AblationRun ablationRun = new AblationRun(opened.target(), ledger, opened.runKey(GatedPhase.DECODE), phaseOptions, opened.prompts().canonical(), progress);
            RunId run = ablationRun.begin(RunDescription.of(phaseOptions, opened.prompts(), opened.gateFile(), loaded));
            Ablation ablation;
            try (RunGuard guard = new RunGuard(output.faults(), ledger, run, INTERRUPTED, ablationRun::current)) {
                ablation = ablationRun.run(run, baseline, loaded);
            }
            Optional<WrittenDocument> document = phase5.map(judged -> new PhaseDocuments(opened, ledger, List.of()).writeAblation(judged,
                    RunDescription.of(phaseOptions, opened.prompts(), opened.gateFile())));
            progress.clear();
            output.show(text -> print(text, ablation, opened, document), () -> tree(ablation, opened, document));
            return 0;
        }
    }

    private static void print(TextOutput text, Ablation ablation, OpenedDeployment opened, Optional<WrittenDocument> document) {
        text.line("Ablation of %s in decode: %s".formatted(opened.model().name(), opened.target().source()));
        text.table(AblationText.table(ablation));
        text.line(document.map(written -> "Document: " + written.path()).orElse("No document: no Phase 5 in the ledger."));
        document.flatMap(WrittenDocument::remark).ifPresent(text::line);
    }

    private static Map<String, Object> tree(Ablation ablation, OpenedDeployment opened, Optional<WrittenDocument> document) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("model", opened.model().name());
        root.put("source", opened.target().source());
        root.put("skills", ablation.skills());
        root.put("rows", ablation.rows().stream().map(row -> tree(ablation, row)).toList());
        root.put("interactions", ablation.interactions().stream().map(found -> {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("skill", found.skill());
            tree.put("saves_alone_ms", found.alone());
            tree.put("saves_on_top_ms", found.onTop());
            tree.put("interaction_ms", found.interaction());
            return tree;
        }).toList());
        root.put("document", document.map(WrittenDocument::path).orElse(null));
        root.put("experiment", document.map(WrittenDocument::experiment).orElse(List.of()));
        return root;
    }

    private static Map<String, Object> tree(Ablation ablation, AblationRow row) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("skills", row.skills());
        tree.put("ms_per_token", row.milliseconds().isPresent() ? row.milliseconds().getAsDouble() : null);
        tree.put("speedup", ablation.speedUp(row).isPresent() ? ablation.speedUp(row).getAsDouble() : null);
        tree.put("verdict", row.verdict());
        tree.put("reason", row.reason());
        tree.put("plan", row.plan().orElse(null));
        return tree;
    }
}
