package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.PlanDiff;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialBench;
import dev.npuflow.workflow.trial.TrialWatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
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

/// `npuflow plan MODEL`.
@Command(name = "plan", mixinStandardHelpOptions = true,
        description = "Shows a plan, its hash and the static, intermediate and dead sets derived from its launches; with --diff, what a skill would change.")
final class PlanCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;

    @Option(names = "--plan", defaultValue = "kept", description = "kept, baseline, or 8 digits or more of a plan's hash (default: ${DEFAULT-VALUE})")
    private String plan;

    @Option(names = "--diff", paramLabel = "SKILL", description = "what this skill would change")
    private String diff;

    @Mixin private SkillOptions skillOptions;

    @Option(names = "--phase", paramLabel = "prefill|decode", completionCandidates = PhaseWords.class, defaultValue = "decode", description = "that --diff is for (default: ${DEFAULT-VALUE})")
    private Phase phase;

    @Mixin private Output output;

    /// The phases as help writes them.
    static final class PhaseWords implements Iterable<String> {

        @Override public Iterator<String> iterator() {
            return Arrays.stream(Phase.values()).map(word -> word.name().toLowerCase(Locale.ROOT)).iterator();
        }
    }

    /// The derived sets of one call.
    record Sets(String phase, String section, String call, List<String> staticSet, List<String> intermediateSet, List<String> deadSet, List<String> outputSet) {}

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            progress.next(diff == null ? "deriving the sets" : "applying " + diff);
            Deployment deployment = opened.plan(plan);
            if (diff != null) {
                Changed changed = changed(opened, deployment);
                progress.clear();
                showDiff(deployment, changed);
                return 0;
            }
            progress.clear();
            List<Sets> sets = sets(deployment);
            List<PlanWarning> warnings = PlanWarning.of(deployment);
            output.show(text -> print(text, deployment, sets, warnings), () -> tree(opened, deployment, sets, warnings));
            return 0;
        }
    }

    private static Map<String, Object> tree(OpenedDeployment opened, Deployment deployment, List<Sets> sets, List<PlanWarning> warnings) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("model", opened.model().name());
        root.put("hash", deployment.hash());
        root.put("calls_per_token", deployment.decode().callsPerPass(deployment.model().layers()));
        root.put("sets", sets);
        root.put("warnings", warnings);
        root.put("plan", PlanJson.tree(deployment));
        return root;
    }

    private void showDiff(Deployment before, Changed changed) {
        PlanDiff found = PlanDiff.between(before, changed.deployment());
        output.show(out -> {
            out.line("plan %s -> %s".formatted(ShortHash.of(found.before()), ShortHash.of(found.after())));
            found.text().lines().skip(1).forEach(out::line);
            if (!changed.why().isEmpty()) {
                out.line("it does not apply: " + changed.why());
            }
        }, () -> found);
    }

    /// What the skill makes of the plan, and why it makes nothing of it.
    private record Changed(Deployment deployment, String why) {}

    /// The first plan that the skill makes, whether it compiles or not.
    private Changed changed(OpenedDeployment opened, Deployment deployment) {
        SkillCatalog catalog = skillOptions.catalog();
        LoadedSkill loaded = catalog.select(List.of(diff)).getFirst();
        TrialBench bench = new TrialBench(opened.target().traits(), opened.target().placement(), _ -> List.of(), skillOptions.options(catalog), skillOptions.limit());
        return switch (bench.run(loaded, deployment, phase, TrialWatch.NONE)) {
            case Trial.Compiled(Assessment.Proposal proposal) -> new Changed(proposal.plan(), "");
            case Trial.NotApplicable(String reason, var _) -> new Changed(deployment, reason);
            case Trial.ChangedNothing _ -> new Changed(deployment, "it proposed the plan that it was given");
            case Trial.Crashed(SkillFault fault) -> throw wrong(fault.reason());
            case Trial.NotRepeatable(String difference) -> throw wrong("nondeterministic: asked twice, it gave " + difference);
            case Trial.TouchedAnotherPhase _ -> throw wrong("it changed more than the %s plan".formatted(phase.name().toLowerCase(Locale.ROOT)));
            case Trial.DoesNotCompile doesNot -> throw new IllegalStateException(doesNot.toString());
        };
    }

    private NpuflowException wrong(String reason) {
        return NpuflowException.badInput("NPF-706", diff, reason, "a skill that keeps the rules", "npuflow skills check on it, or another skill");
    }

    private static List<Sets> sets(Deployment deployment) {
        List<Sets> sets = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            PhasePlan plan = deployment.phase(phase);
            collect(sets, phase, "prologue", plan.prologue());
            collect(sets, phase, "layer", plan.layer());
            collect(sets, phase, "epilogue", plan.epilogue());
        }
        return sets;
    }

    private static void collect(List<Sets> sets, Phase phase, String section, List<Step> steps) {
        for (Step step : steps) {
            if (step instanceof NpuCall call) {
                AccessAnalysis analysis = AccessAnalysis.of(call, section.equals("layer"));
                sets.add(new Sets(phase.name().toLowerCase(Locale.ROOT), section, call.name(), analysis.staticSet(), analysis.intermediateSet(),
                        analysis.deadSet(), analysis.outputSet()));
            }
        }
    }

    private static void print(TextOutput out, Deployment deployment, List<Sets> sets, List<PlanWarning> warnings) {
        out.line("plan " + ShortHash.of(deployment.hash()));
        out.line("%d XRT calls a token".formatted(deployment.decode().callsPerPass(deployment.model().layers())));
        for (Phase phase : Phase.values()) {
            out.line(phase.name().toLowerCase(Locale.ROOT));
            PhasePlan plan = deployment.phase(phase);
            print(out, "prologue", plan.prologue(), phase, sets);
            print(out, "layer × " + deployment.model().layers(), plan.layer(), phase, sets);
            print(out, "epilogue", plan.epilogue(), phase, sets);
        }
        warnings.forEach(warning -> out.line("warning: " + warning.text()));
    }

    private static void print(TextOutput out, String section, List<Step> steps, Phase phase, List<Sets> sets) {
        out.line("  " + section);
        TextTable table = new TextTable(4, Column.left(""), Column.left(""), Column.left(""));
        for (Step step : steps) {
            switch (step) {
                case HostOp op -> table.row("host", op.name(), op.kind().name().toLowerCase(Locale.ROOT));
                case NpuCall call -> {
                    table.row("call", call.name(), String.join(", ", call.launches().stream()
                            .map(launch -> "%s %s".formatted(launch.kernel(), launch.shape().values())).toList()));
                    sets.stream().filter(found -> found.call().equals(call.name()) && found.phase().equals(phase.name().toLowerCase(Locale.ROOT))).findFirst()
                            .ifPresent(found -> notes(table, found));
                }
            }
        }
        out.table(table);
    }

    private static void notes(TextTable table, Sets sets) {
        table.note("static %s".formatted(sets.staticSet()));
        table.note("intermediate %s".formatted(sets.intermediateSet()));
        table.note("dead %s  out %s".formatted(sets.deadSet(), sets.outputSet()));
    }
}
