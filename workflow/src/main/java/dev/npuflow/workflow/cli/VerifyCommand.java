package dev.npuflow.workflow.cli;

import dev.npuflow.fault.OneLine;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.report.VerifyLines;
import dev.npuflow.workflow.report.VerifyReport;
import dev.npuflow.workflow.report.VerifySubject;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow verify MODEL`.
@Command(name = "verify", mixinStandardHelpOptions = true,
        description = "The gate: " + GateRules.TOKENS + " greedy tokens of the last kept plan, or the baseline, against the bf16 reference, by upstream's rule and at every step.")
final class VerifyCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;

    @Option(names = "--full", description = "all prompts of the model; else as many as its phases judge by")
    private boolean full;

    @Option(names = "--plan", defaultValue = "kept", description = "kept, baseline, or 8 digits or more of a plan's hash (default: ${DEFAULT-VALUE})")
    private String plan;

    @Option(names = "--reference", paramLabel = "DIR",
            description = "judge MODEL on the NPU against this model on the reference: a converted or quantized copy against its original; prompts are DIR's")
    private String reference;

    @Mixin private Output output;

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, Optional.ofNullable(reference), progress)) {
            Deployment deployment = opened.plan(plan);
            int prompts = full ? opened.prompts().gate().size() : opened.prompts().phaseGate();
            GateReportFiles reports = new GateReportFiles(opened);
            VerifySubject subject = reports.subject(deployment.hash(), prompts);
            output.meanwhile(text -> VerifyLines.begin(subject, GateRules.UPSTREAM, options.gateFile().map(Object::toString).orElse(referenceText(opened))).forEach(text::line));
            progress.next("verifying");
            GateResult result = opened.target().verify(deployment, prompts);
            progress.clear();
            VerifyReport.Files files = VerifyReport.write(reports.directory(), subject, result, Clock.systemDefaultZone());
            output.show(text -> VerifyLines.end(result, files).forEach(text::line), () -> VerifyReport.command(subject, result, files));
            if (!result.passed()) {
                spec.commandLine().getErr().println(OneLine.of(VerifyLines.failure(result)));
            }
            return result.verdict().exitCode().code();
        }
    }

    private String referenceText(OpenedDeployment opened) {
        return "npuflow reference, bf16" + (reference == null ? "" : ", of " + opened.original().name());
    }
}
