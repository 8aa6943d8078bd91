package dev.npuflow.workflow.phase;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.decision.Sample;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.hipparchus.stat.StatUtils;

/// An optimization phase: which half of the plan its skills may change, and by which figure. The figure decides what is kept and leads in all that is told;
/// another may stand beside it (ADR 11).
///
/// @param figure       unit of `milliseconds`, for people
/// @param milliseconds what keeps or reverts a skill, and must be below the baseline's when the phase ends
/// @param beside       what must be below the baseline's as well when the phase ends
/// @param tokens       decode tokens of its profiles
public record PhaseDescription(GatedPhase gated, Phase optimizes, String figure, ToDoubleFunction<ProfileSummary> milliseconds, Optional<Beside> beside, int tokens) {

    /// A second figure.
    ///
    /// @param name         as in `its kernels`
    /// @param milliseconds of a profile
    public record Beside(String name, ToDoubleFunction<ProfileSummary> milliseconds) {

        public double of(PhaseState state) {
            return milliseconds.applyAsDouble(state.profile());
        }

        /// Such as `its kernels 41.103 → 21.087 ms`.
        public String text(PhaseState before, PhaseState after) {
            return String.format(Locale.ROOT, "%s %.3f → %.3f ms", name, of(before), of(after));
        }
    }

    /// Phase 4: the wall time of a prefill, which a skill may lower on the host alone. mlir-air compares the kernels' time: it stands beside.
    public static final PhaseDescription PREFILL = new PhaseDescription(GatedPhase.PREFILL, Phase.PREFILL, "ms of prefill",
            profile -> profile.prefillTime().milliseconds(), Optional.of(new Beside("its kernels", ProfileSummary::prefillKernelMilliseconds)), 1);

    /// Phase 5: time a decode token, over as many tokens as the gate compares.
    public static final PhaseDescription DECODE = new PhaseDescription(GatedPhase.DECODE, Phase.DECODE, "ms/token",
            ProfileSummary::phaseMillisecondsPerToken, Optional.empty(), GateRules.TOKENS);

    /// @throws IllegalArgumentException for Phase 3, which optimizes nothing
    public static PhaseDescription of(GatedPhase gated) {
        return switch (gated) {
            case PREFILL -> PREFILL;
            case DECODE -> DECODE;
            case FULL_MODEL -> throw new IllegalArgumentException("Phase 3 optimizes nothing");
        };
    }

    /// Where a phase stands with a plan.
    ///
    /// @param measured at least one measurement of it
    PhaseState state(Deployment deployment, List<Measured> measured) {
        List<Sample> samples = measured.stream().map(each -> new Sample(each.run(), milliseconds.applyAsDouble(each.profile()))).toList();
        return new PhaseState(deployment, inTheMiddle(measured.stream().map(Measured::profile).toList()), StatUtils.mean(samples.stream().mapToDouble(Sample::milliseconds).toArray()),
                samples);
    }

    /// A profile and its place in time.
    ///
    /// @param run as in [Sample]
    record Measured(long run, ProfileSummary profile) {}

    /// Where a phase stands with a plan that was measured once, before anything else.
    PhaseState state(Deployment deployment, ProfileSummary profile) {
        return state(deployment, List.of(new Measured(0, profile)));
    }

    /// The sample that stands for all: half of them take no more. Where all take the same it is the first.
    ///
    /// @param samples at least one
    ProfileSummary inTheMiddle(List<ProfileSummary> samples) {
        return samples.stream().sorted(Comparator.comparingDouble(milliseconds)).skip((samples.size() - 1) / 2).findFirst().orElseThrow();
    }
}
