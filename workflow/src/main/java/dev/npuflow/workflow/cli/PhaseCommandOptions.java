package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What every command takes that runs a phase.
final class PhaseCommandOptions {

    @Option(names = "--only", split = ",", paramLabel = "SKILL", description = "try only these skills")
    private List<String> only = new ArrayList<>();

    @Option(names = "--order", split = ",", paramLabel = "SKILL", description = "try these skills first, in this order")
    private List<String> order = new ArrayList<>();

    @Mixin private SkillOptions skillOptions;

    private @Nullable SkillCatalog catalog;

    @Option(names = "--self-check", paramLabel = "on|off", defaultValue = "on", description = "old plan against new before the gate (default: ${DEFAULT-VALUE})")
    private OnOff selfCheck;

    @Option(names = "--dry-run", description = "apply and compile only: nothing is measured and nothing is kept")
    private boolean dryRun;

    @Mixin private MinimumGain minimumGain = new MinimumGain();

    @Option(names = "--resume", description = "go on with the interrupted run in the ledger")
    private boolean resume;

    @Option(names = "--full", description = "verify with all prompts of the model")
    private boolean full;

    @Option(names = "--no-prerequisites", description = "fail where an earlier phase has not passed, instead of running it")
    private boolean noPrerequisites;

    @Option(names = "--trace", paramLabel = "FILE", description = "also write one pass of the plan that was kept as Chrome trace events, such as out.json.gz")
    private Path trace;

    @Mixin private Output output;

    Output output() {
        return output;
    }

    Optional<Path> trace() {
        return Optional.ofNullable(trace);
    }

    boolean resume() {
        return resume;
    }

    boolean dryRun() {
        return dryRun;
    }

    boolean runsPrerequisites() {
        return !noPrerequisites;
    }

    /// The skills to try, in order; those that could not be loaded are told of on `err`.
    ///
    /// @throws NpuflowException NPF-701 for an unknown skill, NPF-716, NPF-717 and NPF-836 for its options
    List<LoadedSkill> skills(PrintWriter err) {
        SkillCatalog catalog = catalog(err);
        List<LoadedSkill> selected = catalog.select(only);
        Map<String, LoadedSkill> byName = new LinkedHashMap<>();
        if (!order.isEmpty()) {
            catalog.select(order).stream().filter(selected::contains).forEach(skill -> byName.put(skill.name(), skill));
        }
        selected.forEach(skill -> byName.putIfAbsent(skill.name(), skill));
        return List.copyOf(byName.values());
    }

    /// As [#skills], whatever `--only` and `--order` say of the phase that was asked for.
    List<LoadedSkill> everySkill(PrintWriter err) {
        return catalog(err).skills();
    }

    /// Loaded once a command, and what could not be loaded told once.
    private SkillCatalog catalog(PrintWriter err) {
        if (catalog == null) {
            catalog = skillOptions.catalog();
            skillOptions.options(catalog);
            catalog.rejected().forEach(rejected -> err.println(OneLine.of("skill not loaded (%s): %s".formatted(rejected.origin(), rejected.reason()))));
        }
        return catalog;
    }

    PhaseOptions phaseOptions(OpenedDeployment opened, PhaseDescription description, List<LoadedSkill> skills) {
        int prompts = full ? opened.prompts().gate().size() : opened.prompts().phaseGate();
        return new PhaseOptions(skills.stream().map(LoadedSkill::name).toList(), skillOptions.options(Objects.requireNonNull(catalog, "the skills are asked for first")), selfCheck == OnOff.ON, dryRun, prompts,
                opened.clamp(description.tokens()), skillOptions.limit(), minimumGain.rule());
    }
}
