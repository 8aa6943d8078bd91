package dev.npuflow.workflow.cli.ledger;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.cli.CommandGroup;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.ledger.RunAccount.Attempt;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunTime;
import dev.npuflow.workflow.ledger.StatusChange;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `npuflow why RUN`.
@Command(name = "why", mixinStandardHelpOptions = true,
        description = "Tells from the records why a run was made, by what it was judged, and why each skill was kept, reverted or skipped.")
public final class WhyCommand implements CommandGroup, Callable<Integer> {

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    @Parameters(index = "0", paramLabel = "RUN", description = "number of a run, as npuflow history lists them")
    private long number;

    @Mixin private RecordedWorkspace workspace = new RecordedWorkspace();

    @Mixin private Output output;

    @Override public Integer call() {
        try (Ledger ledger = workspace.open()) {
            Run run = ledger.find(new RunId(number)).orElseThrow(() -> NpuflowException.badInput("NPF-614", "run", number,
                    "1 to %d, the runs of this workspace".formatted(ledger.history().size()), "npuflow history of a model, which lists its runs"));
            RunAccount account = RunAccount.of(ledger, run);
            output.show(text -> print(text, ledger, run, account), () -> tree(ledger, run, account));
            return 0;
        }
    }

    private static Map<String, Object> tree(Ledger ledger, Run run, RunAccount account) {
        RunTime time = ledger.time(run.id());
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("run", run.id().value());
        root.put("model", run.key().modelName());
        root.put("fingerprint", run.key().fingerprint());
        root.put("phase", run.key().phase().number());
        root.put("kind", run.key().kind());
        root.put("device", run.key().device());
        root.put("status", run.status());
        root.put("statuses", ledger.statuses(run.id()));
        root.put("begun", time.begun());
        root.put("ended", time.ended().orElse(null));
        root.put("because", account.because());
        root.put("options", run.options());
        root.put("start_plan", account.start().orElse(null));
        root.put("start_left_by", account.leftBy().orElse(null));
        root.put("left_plan", account.left().orElse(null));
        root.put("attempts", account.attempts());
        return root;
    }

    private static void print(TextOutput out, Ledger ledger, Run run, RunAccount account) {
        out.line("Run %d: %s %d of %s, %s".formatted(run.id().value(), run.key().kind().equals("phase") ? "phase" : run.key().kind() + " of phase", run.key().phase().number(),
                run.key().modelName(), run.status()));
        out.line("  why: " + account.because(), 4);
        out.line("  " + ledger.statuses(run.id()).stream().map(WhyCommand::text).collect(Collectors.joining(", then ")) + " (UTC)", 4);
        out.line("  device %s; model %s".formatted(ShortHash.of(run.key().device()), ShortHash.of(run.key().fingerprint())));
        run.options().forEach((name, value) -> out.line("  %s: %s".formatted(name, shortened(value)), 4));
        account.start().ifPresent(plan -> out.line("  started from plan %s%s".formatted(ShortHash.of(plan),
                account.leftBy().map(", which run %d left"::formatted).orElse("")), 4));
        for (Attempt attempt : account.attempts()) {
            out.line("");
            out.line("  %d %s: %s%s".formatted(attempt.ordinal(), attempt.skill(), attempt.decision(), attempt.reasonCode().isEmpty() ? "" : ", " + attempt.reasonCode()));
            if (!attempt.reason().isEmpty()) {
                out.line("    " + attempt.reason(), 6);
            }
            attempt.planMade().ifPresent(plan -> out.line("    made plan %s%s".formatted(ShortHash.of(plan), figures(attempt))));
            attempt.verdicts().forEach(gate -> out.line("    judged %s: %s, %d prompts, %d tokens each: %s".formatted(ShortHash.of(gate.plan()), gate.verdict(), gate.prompts(),
                    gate.tokens(), gate.reason()), 6));
            attempt.history().forEach(step -> out.line("    - " + shortened(step), 6));
            attempt.planAfter().ifPresent(plan -> out.line("    holds after it: plan " + ShortHash.of(plan)));
        }
        account.left().ifPresent(plan -> {
            out.line("");
            out.line("  left plan " + ShortHash.of(plan));
        });
    }

    private static String text(StatusChange change) {
        return "%s %s".formatted(change.status(), change.at());
    }

    private static String figures(Attempt attempt) {
        return attempt.msBefore().isPresent() && attempt.msAfter().isPresent() ? ", %s → %s ms".formatted(text(attempt.msBefore()), text(attempt.msAfter())) : "";
    }

    private static String text(OptionalDouble milliseconds) {
        return String.format(Locale.ROOT, "%.3f", milliseconds.orElseThrow());
    }

    /// Text shows the first digits of a hash.
    private static String shortened(String value) {
        return HASH.matcher(value).replaceAll(hash -> ShortHash.of(hash.group()));
    }
}
