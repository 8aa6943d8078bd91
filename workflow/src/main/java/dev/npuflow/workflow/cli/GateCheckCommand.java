package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.control.Control;
import dev.npuflow.workflow.control.ControlResult;
import dev.npuflow.workflow.control.Controls;
import dev.npuflow.workflow.control.GateCheck;
import dev.npuflow.workflow.control.GateScore;
import dev.npuflow.workflow.control.RightPlans;
import dev.npuflow.workflow.gate.DistributionCheck;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow gate-check MODEL`.
@Command(name = "gate-check", mixinStandardHelpOptions = true,
        description = "Try the gate itself on a model: copies and plans that are known to be wrong, and plans that are known to be right.")
final class GateCheckCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private SkillLimit limit = new SkillLimit();

    @Option(names = "--full", description = "judge each on all prompts of the model; else on as many as its phases judge by")
    private boolean full;

    @Option(names = "--only", paramLabel = "TEXT", description = "only controls whose kind or name holds this text, such as int4")
    @Nullable private String only;

    @Mixin private Output output;

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 0);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            int prompts = full ? opened.prompts().gate().size() : opened.prompts().phaseGate();
            progress.next("making the controls");
            List<Control> controls = controls(opened);
            GateScore score = new GateCheck(opened.model(), opened::target, prompts,
                    (number, of, control) -> progress.next("control %d of %d, %s: %s".formatted(number, of, control.kind(), control.name()))).run(controls);
            progress.clear();
            output.show(text -> print(text, opened, score), () -> tree(opened, score));
            return score.falseAlarms() == 0 ? ExitCode.PASSED.code() : ExitCode.GATE_FAILED.code();
        }
    }

    private List<Control> controls(OpenedDeployment opened) {
        List<SortedMap<String, String>> optionSets = List.of(Collections.emptySortedMap(), new TreeMap<>(Map.of("conservative", "on")));
        List<LoadedSkill> skills = SkillCatalog.load(Optional.empty()).skills();
        List<Control> right = only == null || RightPlans.canHold(only, skills, optionSets)
                ? RightPlans.of(opened.target(), skills, limit.duration(), optionSets) : List.of();
        List<Control> all = Stream.concat(right.stream(), Controls.wrong(opened.model().config(), opened.model().config().block(), opened.target().baseline()).stream())
                .filter(control -> only == null || control.kind().contains(only) || control.name().contains(only)).toList();
        if (all.isEmpty()) {
            throw NpuflowException.badInput("NPF-839", "--only", String.valueOf(only), "a text that a control's kind or name holds", "leaving --only out, which lists all");
        }
        return all;
    }

    private static void print(TextOutput text, OpenedDeployment opened, GateScore score) {
        text.line("The gate of %s on %d prompts: %s".formatted(opened.model().name(), score.prompts(), opened.target().source()));
        table(text, "Right, and to pass", score.results().stream().filter(result -> !result.wrong()).toList());
        table(text, "Wrong, and to fail", score.results().stream().filter(ControlResult::wrong).toList());
        text.line("Caught %d of %d wrong deployments (%d by tokens alone); %d false alarms on %d right ones.".formatted(score.caught(), score.injected(),
                score.caughtByTokens(), score.falseAlarms(), score.right()));
        score.missed().forEach(missed -> text.line("Passed: %s, at %s × the noise".formatted(label(missed), ratio(missed))));
    }

    private static void table(TextOutput text, String title, List<ControlResult> results) {
        TextTable table = new TextTable(0, TextTable.Column.left(title), TextTable.Column.left("The gate"), TextTable.Column.right("KL / noise"));
        results.forEach(result -> table.row(label(result), word(result.answer()), ratio(result)));
        if (!results.isEmpty()) {
            text.table(table);
        }
    }

    private static String label(ControlResult result) {
        return result.name().isEmpty() ? result.kind() : "%s: %s".formatted(result.kind(), result.name());
    }

    private static String word(ControlResult.Answer answer) {
        return switch (answer) {
            case REFUSED -> "refused";
            case UPSTREAM -> "upstream's rule fails";
            case EVERY_STEP -> "every step fails";
            case DISTRIBUTION -> "distribution fails";
            case PASSED -> "passes";
        };
    }

    private static String ratio(ControlResult result) {
        return result.distribution().map(DistributionCheck::ratio).map(ratio -> String.format(Locale.ROOT, "%.2f", ratio)).orElse("—");
    }

    private static Map<String, Object> tree(OpenedDeployment opened, GateScore score) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("model", opened.model().name());
        root.put("source", opened.target().source());
        root.put("prompts", score.prompts());
        root.put("injected", score.injected());
        root.put("caught", score.caught());
        root.put("caught_by_tokens", score.caughtByTokens());
        root.put("right", score.right());
        root.put("false_alarms", score.falseAlarms());
        root.put("limit", DistributionCheck.FACTOR);
        root.put("controls", score.results().stream().map(GateCheckCommand::tree).toList());
        return root;
    }

    private static Map<String, Object> tree(ControlResult result) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("kind", result.kind());
        tree.put("name", result.name());
        tree.put("wrong", result.wrong());
        tree.put("answer", result.answer().name().toLowerCase(Locale.ROOT));
        tree.put("mean_kl", result.distribution().map(DistributionCheck::mean).orElse(null));
        tree.put("noise", result.distribution().map(DistributionCheck::noise).orElse(null));
        tree.put("ratio", result.distribution().map(DistributionCheck::ratio).filter(Double::isFinite).orElse(null));
        tree.put("reason", result.reason());
        return tree;
    }
}
