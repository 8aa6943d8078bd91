package dev.npuflow.workflow.cli;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.fault.ExitCode;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.phase.PhaseJournal;
import dev.npuflow.workflow.phase.PhaseLoop;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.phase.PhaseResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow phase5 MODEL`.
@Command(name = "phase5", mixinStandardHelpOptions = true,
        description = "Phase 5, decode: baseline, then each skill applied, checked, verified, measured, and kept or reverted; writes phase5_decode.md.")
final class Phase5Command implements Callable<Integer> {

    /// Decode tokens of a profile (issue of the gate: upstream's GATE_N_TOKENS too).
    private static final int TOKENS = 32;
    private static final Duration SKILL_LIMIT = Duration.ofSeconds(60);

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;

    @Option(names = "--only", split = ",", paramLabel = "SKILL", description = "try only these skills")
    private List<String> only = new ArrayList<>();

    @Option(names = "--order", split = ",", paramLabel = "SKILL", description = "try these skills first, in this order")
    private List<String> order = new ArrayList<>();

    @Option(names = "--skills-dir", paramLabel = "DIR", description = "folder with jars of more skills")
    private Path skillsDirectory;

    @Option(names = "--skill-option", paramLabel = "KEY=VALUE", description = "for the skills, such as b2=off")
    private Map<String, String> skillOptions = new TreeMap<>();

    @Option(names = "--self-check", paramLabel = "on|off", defaultValue = "on", description = "old plan against new before the gate (default: ${DEFAULT-VALUE})")
    private Switch selfCheck;

    @Option(names = "--dry-run", description = "apply and compile only: nothing is measured and nothing is kept")
    private boolean dryRun;

    @Option(names = "--resume", description = "go on with the interrupted run in the ledger")
    private boolean resume;

    @Option(names = "--full", description = "verify with all prompts of the model")
    private boolean full;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    /// A word that is on or off.
    enum Switch { ON, OFF }

    @Override public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        SkillCatalog catalog = SkillCatalog.load(Optional.ofNullable(skillsDirectory));
        catalog.rejected().forEach(rejected -> err.println("skill not loaded (%s): %s".formatted(rejected.origin(), rejected.reason())));
        List<LoadedSkill> skills = inOrder(catalog.select(only), catalog);
        try (Progress progress = Progress.onTerminal(err);
                OpenedDeployment opened = OpenedDeployment.open(options, progress);
                Ledger ledger = Ledger.open(opened.workspace())) {
            RunKey key = opened.runKey(Phase.DECODE);
            PhaseOptions phaseOptions = phaseOptions(opened, skills);
            RunId run = begin(ledger, key, described(phaseOptions));
            try (RunGuard guard = new RunGuard(err, () -> ledger.setStatus(run, RunStatus.INTERRUPTED))) {
                GateReportFiles reports = new GateReportFiles(opened);
                PhaseJournal journal = new PhaseJournal(ledger, run, key.device(), progress, reports);
                PhaseResult result = new PhaseLoop(opened.target(), Phase.DECODE, phaseOptions, opened.prompts().canonical(), journal).run(skills);
                String document = dryRun ? "" : new PhaseDocuments(opened, ledger).write(run, result);
                ledger.setStatus(run, status(result));
                progress.close();
                PhaseOutput.print(out, result, document, opened, json);
                return exitCode(result).code();
            } catch (NpuflowException e) {
                ledger.setStatus(run, RunStatus.ERROR);
                throw e;
            }
        }
    }

    private RunId begin(Ledger ledger, RunKey key, SortedMap<String, String> described) {
        if (!resume) {
            return ledger.beginRun(key, described);
        }
        Run open = ledger.openRun(key).orElseThrow(() -> NpuflowException.badInput("NPF-811", "--resume (%s)".formatted(options.model()),
                "an interrupted run of this model on this device in the ledger", "leaving --resume out"));
        if (!open.options().equals(described)) {
            throw NpuflowException.badInput("NPF-812", "--resume (options %s)".formatted(described), "the options of the interrupted run, %s".formatted(open.options()),
                    "the same options, or leaving --resume out");
        }
        ledger.setStatus(open.id(), RunStatus.RUNNING);
        return open.id();
    }

    private PhaseOptions phaseOptions(OpenedDeployment opened, List<LoadedSkill> skills) {
        int prompts = full ? opened.prompts().gate().size() : opened.prompts().phaseGate();
        return new PhaseOptions(skills.stream().map(LoadedSkill::name).toList(), new TreeMap<>(skillOptions), selfCheck == Switch.ON, dryRun, resume,
                prompts, opened.clamp(TOKENS), SKILL_LIMIT);
    }

    /// The options that decide a run's result: what a resumed run must share.
    private static SortedMap<String, String> described(PhaseOptions options) {
        SortedMap<String, String> described = new TreeMap<>();
        described.put("skills", String.join(",", options.skills()));
        described.put("skill_options", CanonicalJson.write(options.skillOptions()));
        described.put("self_check", Boolean.toString(options.selfCheck()));
        described.put("dry_run", Boolean.toString(options.dryRun()));
        described.put("prompts", Integer.toString(options.prompts()));
        described.put("tokens", Integer.toString(options.tokens()));
        return described;
    }

    private List<LoadedSkill> inOrder(List<LoadedSkill> selected, SkillCatalog catalog) {
        Map<String, LoadedSkill> byName = new LinkedHashMap<>();
        if (!order.isEmpty()) {
            catalog.select(order).stream().filter(selected::contains).forEach(skill -> byName.put(skill.name(), skill));
        }
        selected.forEach(skill -> byName.putIfAbsent(skill.name(), skill));
        return List.copyOf(byName.values());
    }

    private static RunStatus status(PhaseResult result) {
        return switch (result.status()) {
            case PASS -> RunStatus.PASS;
            case FAIL -> RunStatus.FAIL;
            case ERROR -> RunStatus.ERROR;
        };
    }

    private static ExitCode exitCode(PhaseResult result) {
        return switch (result.status()) {
            case PASS -> ExitCode.PASSED;
            case FAIL -> ExitCode.GATE_FAILED;
            case ERROR -> ExitCode.ENVIRONMENT;
        };
    }
}
