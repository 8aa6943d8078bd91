package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.generation.TextRoom;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.lens.Localizer;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.text.ShortHash;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow localize MODEL`.
@Command(name = "localize", mixinStandardHelpOptions = true,
        description = "After a failed gate: the first step, layer and operator at which a plan leaves the reference beyond noise,"
                + " the argument involved, and why.")
final class LocalizeCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private PromptOptions promptOptions;

    @Option(names = "--plan", defaultValue = "kept", description = "kept, baseline, or 8 digits or more of a plan's hash (default: ${DEFAULT-VALUE})")
    private String plan;

    @Option(names = "--steps", paramLabel = "N", defaultValue = "" + GateRules.STEPS, description = "decode steps to look at (default: the gate's ${DEFAULT-VALUE})")
    private int steps;

    @Mixin private Output output;

    @Override public Integer call() {
        if (steps < 0) {
            throw NpuflowException.badInput("NPF-530", "--steps", steps, "0 or more decode steps", "--steps %d".formatted(GateRules.STEPS));
        }
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            List<Prompt> prompts = promptOptions.given() ? List.of(promptOptions.prompt(opened))
                    : opened.prompts().gate().subList(0, opened.prompts().phaseGate());
            TextRoom.of(opened.model().config(), prompts).requireSteps("--steps", steps);
            Deployment deployment = opened.plan(plan);
            progress.next("localizing");
            Localization found = localizer(opened).localize(deployment, prompts, steps);
            progress.clear();
            output.show(text -> {
                text.line("%s, plan %s: %s".formatted(opened.model().name(), ShortHash.of(found.plan()), opened.target().source()));
                found.lines().forEach(text::line);
            }, () -> tree(found, opened));
            return 0;
        }
    }

    static Localizer localizer(OpenedDeployment opened) {
        return new Localizer(opened.model(), opened.target()::open, opened.workspace().resolve("cache"));
    }

    private static Map<String, Object> tree(Localization found, OpenedDeployment opened) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("model", opened.model().name());
        root.put("plan", found.plan());
        root.put("source", opened.target().source());
        root.put("found", found.fault().isPresent());
        root.put("fault", found.fault().map(LocalizeCommand::tree).orElse(null));
        root.put("unjudged", found.unjudged());
        root.put("text", found.lines());
        return root;
    }

    private static Map<String, Object> tree(Localization.Fault fault) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("prompt", fault.prompt());
        tree.put("phase", fault.phase().name().toLowerCase(Locale.ROOT));
        tree.put("step", fault.step());
        tree.put("position", fault.position());
        tree.put("layer", fault.layer() < 0 ? null : fault.layer());
        tree.put("operator", fault.operator());
        tree.put("place", fault.place());
        tree.put("difference", fault.difference());
        tree.put("noise", fault.noise());
        tree.put("argument", fault.involved().map(Localization.Involved::argument).orElse(null));
        tree.put("transfer", fault.involved().map(involved -> involved.transfer().name().toLowerCase(Locale.ROOT)).orElse(null));
        tree.put("buffer_object", fault.involved().map(Localization.Involved::bufferObject).orElse(null));
        tree.put("hypothesis", fault.hypothesis().name().toLowerCase(Locale.ROOT));
        tree.put("hypothesis_number", fault.hypothesis().number());
        tree.put("evidence", fault.evidence());
        tree.put("remedy", fault.hypothesis().remedy());
        return tree;
    }
}
