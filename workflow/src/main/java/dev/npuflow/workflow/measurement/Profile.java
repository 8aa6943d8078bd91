package dev.npuflow.workflow.measurement;

import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.workflow.lowering.StepTime;
import java.util.List;
import java.util.OptionalDouble;

/// One measurement of a deployment. Every figure is a sum over the recorded steps.
///
/// @param source        the one line that says where the figures come from
/// @param prepare       picoseconds of the untimed preload, one dispatch a buffer-object key
/// @param promptTokens  real positions of the prompt
/// @param paddedPrompt  positions that the prefill is charged for
/// @param decodeTokens  tokens made by decode steps, the prefill's own not counted
/// @param generated     ids of all tokens made, the prefill's first
public record Profile(String model, String device, String planHash, String source, int layers, int promptTokens, int paddedPrompt,
        int decodeTokens, long prepare, long preloadedBytes, List<StepTime> prefill, List<StepTime> decode, List<Integer> generated) {

    public Profile {
        prefill = List.copyOf(prefill);
        decode = List.copyOf(decode);
        generated = List.copyOf(generated);
    }

    /// Of the whole prefill.
    public Picoseconds prefillTime() {
        return new Picoseconds(prefill.stream().mapToLong(StepTime::total).sum());
    }

    /// Of all decode steps.
    public Picoseconds decodeTime() {
        return new Picoseconds(decode.stream().mapToLong(StepTime::total).sum());
    }

    /// Milliseconds a decode token; empty where no token was made by decoding.
    public OptionalDouble millisecondsPerToken() {
        return decodeTokens == 0 ? OptionalDouble.empty() : OptionalDouble.of(decodeTime().milliseconds() / decodeTokens);
    }

    /// Empty where no token was made by decoding.
    public OptionalDouble tokensPerSecond() {
        OptionalDouble milliseconds = millisecondsPerToken();
        return milliseconds.isEmpty() ? milliseconds : OptionalDouble.of(1000 / milliseconds.getAsDouble());
    }

    /// Time to first token in seconds.
    public double secondsToFirstToken() {
        return prefillTime().seconds();
    }
}
