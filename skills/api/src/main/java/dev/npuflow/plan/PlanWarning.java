package dev.npuflow.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A transfer that a plan states and the launch graph does not bear out. Stops nothing: the tool chain does not know these
/// sets either; the self-check and the gate stop the fault.
///
/// @param phase    where the call stands
/// @param stated   the plan's transfer
/// @param derived  what the launches allow
/// @param harmless whether the device still has the right bytes
public record PlanWarning(Phase phase, String call, String argument, Transfer stated, ArgumentAccess.Reuse derived, boolean harmless,
        String reason) {

    /// The warnings of both phases, prefill first, in plan order. An argument written on every call is slow, never wrong, and
    /// no warning.
    public static List<PlanWarning> of(Deployment deployment) {
        List<PlanWarning> warnings = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            PhasePlan plan = deployment.phase(phase);
            collect(phase, plan.prologue(), false, warnings);
            collect(phase, plan.layer(), true, warnings);
            collect(phase, plan.epilogue(), false, warnings);
        }
        return List.copyOf(warnings);
    }

    private static void collect(Phase phase, List<Step> section, boolean inLayer, List<PlanWarning> warnings) {
        for (Step step : section) {
            if (step instanceof NpuCall call) {
                AccessAnalysis analysis = AccessAnalysis.of(call, inLayer);
                for (Argument argument : call.arguments()) {
                    ArgumentAccess access = analysis.access(argument.name());
                    if (!agree(argument.transfer(), access.reuse())) {
                        warnings.add(new PlanWarning(phase, call.name(), argument.name(), argument.transfer(), access.reuse(),
                                access.mayStayOnDevice(), access.reason()));
                    } else if (argument.readBack() && !access.written()) {
                        warnings.add(new PlanWarning(phase, call.name(), argument.name(), argument.transfer(), access.reuse(), true,
                                "it is read back, and no launch writes it"));
                    }
                }
            }
        }
    }

    private static boolean agree(Transfer stated, ArgumentAccess.Reuse derived) {
        return switch (stated) {
            case EVERY_CALL -> true;
            case STATIC -> derived == ArgumentAccess.Reuse.STATIC || derived == ArgumentAccess.Reuse.DEAD;
            case INTERMEDIATE -> derived == ArgumentAccess.Reuse.INTERMEDIATE || derived == ArgumentAccess.Reuse.DEAD;
        };
    }

    /// One line: `decode call norm, argument x: stated STATIC, derived NONE (activation x changes on every call)`.
    public String text() {
        return "%s call %s, argument %s: stated %s, derived %s (%s)%s".formatted(phase.name().toLowerCase(Locale.ROOT), call, argument,
                stated, derived, reason, harmless ? ", harmless" : ", stale from the second call on");
    }
}
