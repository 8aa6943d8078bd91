package dev.npuflow.workflow.cli;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.lowering.PlanTrace;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.report.ProfileJson;
import dev.npuflow.workflow.report.ProfileSummary;
import dev.npuflow.workflow.report.ProfileText;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow profile MODEL`.
@Command(name = "profile", mixinStandardHelpOptions = true,
        description = "Times the last kept plan, or the baseline: mlir-air's own profile blocks, where every figure is a sum of recorded steps.")
final class ProfileCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private PromptOptions promptOptions;

    @Option(names = "-n", paramLabel = "N", defaultValue = "" + GateRules.TOKENS, description = "decode tokens at most; an end-of-sequence token ends it (default: ${DEFAULT-VALUE})")
    private int tokens;

    @Option(names = "--plan", defaultValue = "kept", description = "kept, baseline, or 8 digits or more of a plan's hash (default: ${DEFAULT-VALUE})")
    private String plan;

    @Option(names = "--ignore-eos", description = "go on after an end-of-sequence token")
    private boolean ignoreEos;

    @Option(names = "--trace", paramLabel = "FILE", description = "also write one decode token as Chrome trace events, such as out.json.gz")
    private @Nullable Path trace;

    @Mixin private Output output;

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            Prompt prompt = promptOptions.prompt(opened);
            opened.room(prompt).requireSteps("-n", tokens);
            Deployment deployment = opened.plan(plan);
            progress.next("profiling");
            Profile profile = opened.target().profile(deployment, prompt, tokens, ignoreEos);
            progress.clear();
            if (trace != null) {
                PlanTrace.write(trace, deployment, opened.device(), Phase.DECODE, prompt.ids().size() + profile.generated().size());
            }
            output.show(text -> {
                text.layout(ProfileText.render(profile) + "Q: " + prompt.text());
                text.layout("A: " + PromptOptions.text(opened.model(), withoutLastEos(opened, profile.generated())));
            }, () -> ProfileJson.of(ProfileSummary.of(profile)));
            return 0;
        }
    }

    private static List<Integer> withoutLastEos(OpenedDeployment opened, List<Integer> ids) {
        boolean ended = opened.model().config().eosTokenIds().contains(ids.getLast());
        return ended ? ids.subList(0, ids.size() - 1) : ids;
    }
}
