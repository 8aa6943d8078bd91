package dev.npuflow.workflow.report;

import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.measurement.Profile;
import java.util.List;
import java.util.OptionalDouble;

/// A profile summed over its invocations: what the ledger keeps and the documents show. Picoseconds, so that nothing is lost by summing.
///
/// @param prefill in the order of the data flow
/// @param decode  in the order of the data flow, over all decode tokens
public record ProfileSummary(String model, String device, String planHash, String source, int layers, int promptTokens, int paddedPrompt,
        int decodeTokens, long prepare, long preloadedBytes, List<StepTotals> prefill, List<StepTotals> decode, List<Integer> generated) {

    public ProfileSummary {
        prefill = List.copyOf(prefill);
        decode = List.copyOf(decode);
        generated = List.copyOf(generated);
    }

    public static ProfileSummary of(Profile profile) {
        return new ProfileSummary(profile.model(), profile.device(), profile.planHash(), profile.source(), profile.layers(), profile.promptTokens(),
                profile.paddedPrompt(), profile.decodeTokens(), profile.prepare(), profile.preloadedBytes(), StepTotals.of(profile.prefill()),
                StepTotals.of(profile.decode()), profile.generated());
    }

    /// The steps of a phase, in the order of the data flow.
    public List<StepTotals> phase(Phase phase) {
        return switch (phase) {
            case PREFILL -> prefill;
            case DECODE -> decode;
        };
    }

    /// Passes over the model that a phase's totals hold; at least 1, to divide by.
    public int passes(Phase phase) {
        return switch (phase) {
            case PREFILL -> 1;
            case DECODE -> Math.max(1, decodeTokens);
        };
    }

    /// For the ledger; [ProfileJson] is the form for people's scripts.
    public String toJson() {
        return CanonicalJson.write(this);
    }

    public Picoseconds prefillTime() {
        return new Picoseconds(prefill.stream().mapToLong(StepTotals::total).sum());
    }

    public Picoseconds decodeTime() {
        return new Picoseconds(decode.stream().mapToLong(StepTotals::total).sum());
    }

    /// Milliseconds of all NPU calls of the prefill, upstream's "Total kernel time" (docs/upstream.md, "Profile output"): what Phase 4 compares.
    public double prefillKernelMilliseconds() {
        return new Picoseconds(prefill.stream().filter(step -> step.kind() == Kind.NPU).mapToLong(StepTotals::total).sum()).milliseconds();
    }

    /// Milliseconds a decode token; empty where no token was made by decoding.
    public OptionalDouble millisecondsPerToken() {
        return perToken(decodeTime().milliseconds());
    }

    /// The same of a profile that a phase measured.
    ///
    /// @throws IllegalStateException if it decoded nothing, which a phase's profile cannot
    public double phaseMillisecondsPerToken() {
        return millisecondsPerToken().orElseThrow(() -> new IllegalStateException("a phase's profile of plan %s without a decoded token".formatted(planHash)));
    }

    /// Empty where no token was made by decoding.
    public OptionalDouble tokensPerSecond() {
        OptionalDouble milliseconds = millisecondsPerToken();
        return milliseconds.isEmpty() ? milliseconds : OptionalDouble.of(1000 / milliseconds.getAsDouble());
    }

    /// XRT calls a decode token; empty where no token was made by decoding.
    public OptionalDouble callsPerToken() {
        return perToken(decode.stream().filter(step -> step.kind() == Kind.NPU).mapToLong(StepTotals::count).sum());
    }

    private OptionalDouble perToken(double total) {
        return decodeTokens == 0 ? OptionalDouble.empty() : OptionalDouble.of(total / decodeTokens);
    }

    public double secondsToFirstToken() {
        return prefillTime().seconds();
    }
}
