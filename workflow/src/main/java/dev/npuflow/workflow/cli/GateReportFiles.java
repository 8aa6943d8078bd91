package dev.npuflow.workflow.cli;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.generation.TextRoom;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.phase.PhaseJournal.GateReports;
import dev.npuflow.workflow.report.VerifyReport;
import dev.npuflow.workflow.report.VerifySubject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Verify reports of one model, in the workspace.
final class GateReportFiles implements GateReports {

    /// Decode steps in which a kept plan's operators are looked at: what is stale or appended wrongly shows from the first or second on.
    private static final int OPERATOR_STEPS = 8;

    private final OpenedDeployment opened;

    GateReportFiles(OpenedDeployment opened) {
        this.opened = opened;
    }

    VerifySubject subject(String plan, int prompts) {
        LanguageModel model = opened.model();
        List<Prompt> gate = opened.prompts().gate();
        String against = model.equals(opened.original()) ? "" : ", against %s".formatted(named(opened.original()));
        return new VerifySubject("npuflow sim", model.name(), named(model) + against, false,
                Optional.of(opened.prompts().gateSource().equals(ModelPrompts.OWN_PROMPTS) ? ModelPrompts.OWN_PROMPTS
                        : "%s of %s".formatted(opened.prompts().gateSource(), opened.original().name())),
                prompts < gate.size() ? OptionalInt.of(prompts) : OptionalInt.empty(), gate.stream().limit(prompts).map(Prompt::text).toList(), plan,
                opened.target().source(), ids -> PromptOptions.text(opened.original(), ids));
    }

    private static String named(LanguageModel model) {
        return "%s (%s)".formatted(model.name(), model.weightOrigin() == WeightOrigin.SYNTHETIC ? "synthetic weights" : "weights " + model.fingerprint());
    }

    Path directory() {
        return opened.workspace().resolve("reports").resolve(opened.model().name());
    }

    @Override public Optional<Localization> localize(Deployment wrong) {
        List<Prompt> prompts = opened.prompts().gate().subList(0, opened.prompts().phaseGate());
        int steps = TextRoom.of(opened.model().config(), prompts).steps(GateRules.STEPS);
        return Optional.of(LocalizeCommand.localizer(opened).localize(wrong, prompts, steps));
    }

    @Override public Optional<Localization> operators(Deployment passed) {
        List<Prompt> first = opened.prompts().gate().subList(0, 1);
        return Optional.of(LocalizeCommand.localizer(opened).localize(passed, first, TextRoom.of(opened.model().config(), first).steps(OPERATOR_STEPS)));
    }

    @Override public String write(String plan, GateResult gate) {
        return VerifyReport.write(directory(), subject(plan, gate.prompts().size()), gate, Clock.systemDefaultZone()).json().toString();
    }
}
