package dev.npuflow.workflow.phase;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.function.ToDoubleFunction;

/// An optimization phase: which half of the plan its skills may change, which figure a skill must lower to be kept, and which must have fallen in
/// the end. In decode the two are one; in prefill a skill may save host time alone, and the gate looks at the kernels (reference document §A.1).
///
/// @param figure           unit of `milliseconds`, for people
/// @param milliseconds     what keeps or reverts a skill
/// @param gateFigure       unit of `gateMilliseconds`
/// @param gateMilliseconds what must be strictly below the baseline's when the phase ends
/// @param tokens           decode tokens of its profiles
public record PhaseDescription(GatedPhase gated, Phase optimizes, String figure, ToDoubleFunction<ProfileSummary> milliseconds, String gateFigure,
        ToDoubleFunction<ProfileSummary> gateMilliseconds, int tokens) {

    private static final double PICOSECONDS_A_MILLISECOND = 1e9;

    /// Phase 4.
    public static final PhaseDescription PREFILL = new PhaseDescription(GatedPhase.PREFILL, Phase.PREFILL, "ms of prefill",
            profile -> profile.prefillTime() / PICOSECONDS_A_MILLISECOND, "ms of prefill kernels", ProfileSummary::prefillKernelMilliseconds, 1);

    /// Phase 5: time a decode token, over the gate's 32 tokens.
    public static final PhaseDescription DECODE = new PhaseDescription(GatedPhase.DECODE, Phase.DECODE, "ms/token",
            ProfileSummary::phaseMillisecondsPerToken, "ms/token", ProfileSummary::phaseMillisecondsPerToken, 32);

    /// @throws IllegalArgumentException for Phase 3, which optimizes nothing
    public static PhaseDescription of(GatedPhase gated) {
        return switch (gated) {
            case PREFILL -> PREFILL;
            case DECODE -> DECODE;
            case FULL_MODEL -> throw new IllegalArgumentException("Phase 3 optimizes nothing");
        };
    }

    PhaseState state(Deployment deployment, ProfileSummary profile) {
        return new PhaseState(deployment, profile, milliseconds.applyAsDouble(profile));
    }
}
