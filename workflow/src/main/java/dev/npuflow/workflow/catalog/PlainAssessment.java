package dev.npuflow.workflow.catalog;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Evidence;
import dev.npuflow.workflow.catalog.GuardedCall.NoAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A skill's answer as npuflow takes it: every text one plain line, no list without end, the plan one that the ledger can hold. It runs where the skill runs, since
/// a list of the skill's may be its own code.
final class PlainAssessment {

    private static final int MOST_LINES = 64;
    private static final int MOST_SECTIONS = 32;
    private static final int MOST_STEPS = 4096;

    private PlainAssessment() {}

    /// @throws NoAnswer where there is no reason, no plan or no usable one
    static @Nullable Assessment of(@Nullable Assessment assessment, Phase phase) {
        return switch (assessment) {
            case null -> null;
            case Assessment.NotApplicable(String reason, List<Blocker> blockers) ->
                new Assessment.NotApplicable(reason(reason), blockers.stream().limit(MOST_LINES).map(PlainAssessment::plain).toList());
            case Assessment.Proposal(Deployment plan, String reason, boolean changesBits, List<String> warnings, List<Evidence> evidence) ->
                new Assessment.Proposal(whole(plan, phase), reason(reason), changesBits, lines(warnings),
                        evidence.stream().limit(MOST_SECTIONS).map(PlainAssessment::plain).toList());
        };
    }

    private static String reason(@Nullable String reason) {
        if (reason == null) {
            throw new NoAnswer("no reason");
        }
        return GuardedCall.line(reason);
    }

    private static Deployment whole(@Nullable Deployment made, Phase phase) {
        if (made == null) {
            throw new NoAnswer("a proposal without a plan");
        }
        PlanForm.fault(made, phase).ifPresent(fault -> {
            throw new NoAnswer("a plan that " + fault);
        });
        return made;
    }

    private static Blocker plain(Blocker blocker) {
        return new Blocker(GuardedCall.line(blocker.limit()), GuardedCall.line(blocker.launch()), GuardedCall.line(blocker.message()), GuardedCall.line(blocker.cause()),
                GuardedCall.line(blocker.remedy()));
    }

    private static Evidence plain(Evidence evidence) {
        return new Evidence(GuardedCall.line(evidence.title()), lines(evidence.facts()), steps(evidence.stepsBefore()), steps(evidence.stepsAfter()));
    }

    private static List<String> lines(List<String> texts) {
        return texts.stream().limit(MOST_LINES).map(GuardedCall::line).toList();
    }

    private static List<String> steps(List<String> names) {
        return names.stream().limit(MOST_STEPS).map(GuardedCall::line).toList();
    }
}
