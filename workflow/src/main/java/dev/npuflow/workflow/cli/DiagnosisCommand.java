package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lens.Diagnoser;
import dev.npuflow.workflow.lens.Diagnosis;
import dev.npuflow.workflow.lens.DiagnosisReport;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.report.VerifySubject;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow diagnosis MODEL`.
@Command(name = "diagnosis", mixinStandardHelpOptions = true,
        description = "The lens: how far each layer of the NPU is from the reference, in prefill and in every decode step."
                + " It informs; the gate decides.")
final class DiagnosisCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private PromptOptions promptOptions;

    @Option(names = "--plan", defaultValue = "kept", description = "kept, baseline, or 8 digits or more of a plan's hash (default: ${DEFAULT-VALUE})")
    private String plan;

    @Option(names = "--steps", paramLabel = "N", defaultValue = "8", description = "decode steps after the prefill (default: ${DEFAULT-VALUE})")
    private int steps;

    @Mixin private Output output;

    @Override public Integer call() {
        if (steps < 0) {
            throw NpuflowException.badInput("NPF-530", "--steps", steps, "0 or more decode steps", "--steps 8");
        }
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            Prompt prompt = promptOptions.prompt(opened);
            opened.room(prompt).requireSteps("--steps", steps);
            Deployment deployment = opened.plan(plan);
            progress.next("diagnosis");
            Diagnosis diagnosis = new Diagnoser(opened.model(), opened.target()::open).diagnose(deployment, prompt, steps);
            progress.clear();
            GateReportFiles reports = new GateReportFiles(opened);
            VerifySubject subject = reports.subject(deployment.hash(), 0);
            DiagnosisReport.Files files = DiagnosisReport.write(reports.directory(), subject, diagnosis, Clock.systemDefaultZone());
            output.show(text -> print(text, opened, diagnosis, files), () -> DiagnosisReport.json(subject, diagnosis).put("report", files.json().toString()));
            return 0;
        }
    }

    private static void print(TextOutput out, OpenedDeployment opened, Diagnosis diagnosis, DiagnosisReport.Files files) {
        out.line("Diagnosis of %s: %s".formatted(opened.model().name(), opened.target().source()));
        out.line("plan " + ShortHash.of(diagnosis.plan()));
        for (Diagnosis.Step step : diagnosis.steps()) {
            out.line(step.step() == 0 ? "prefill, %d positions".formatted(step.rows()) : "decode step %d, position %d"
                    .formatted(step.step(), step.position()));
            for (Diagnosis.Layer layer : step.layers()) {
                out.line(String.format(Locale.ROOT, "  layer %2d  cos_p5 %.6f  cos_min %.6f  cos_median %.6f  max_abs %.4g", layer.layer(),
                        layer.figures().cosine().p5(),
                        layer.figures().cosine().min(), layer.figures().cosine().median(), layer.figures().errors().maxAbs()));
            }
        }
        diagnosis.findings().forEach(finding -> out.line(finding.text()));
        out.line(diagnosis.findings().isEmpty() ? "No cliff." : "It informs; the gate decides.");
        out.line("Report: " + files.markdown());
    }
}
