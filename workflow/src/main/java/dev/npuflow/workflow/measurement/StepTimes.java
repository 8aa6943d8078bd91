package dev.npuflow.workflow.measurement;

import dev.npuflow.workflow.generation.Generation;
import dev.npuflow.workflow.generation.GenerationLimits;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.model.Prompt;
import java.util.ArrayList;
import java.util.List;

/// Records the time of every step of one query.
final class StepTimes implements RunObserver {

    private final List<StepTime> prefill = new ArrayList<>();
    private final List<StepTime> decode = new ArrayList<>();
    private boolean decoding;

    @Override public void afterStep(StepTime time, Values values) {
        (decoding ? decode : prefill).add(time);
    }

    /// The prefill's token and then `tokens` decode steps, fewer if one of them ends the text.
    List<Integer> generate(DeploymentRun run, Prompt prompt, int tokens, List<Integer> eosIds) {
        Generation generation = GreedyDecoder.generate(run, prompt.idArray(), new GenerationLimits(tokens + 1, eosIds, 1, false), _ -> decoding = true);
        return generation.ids();
    }

    List<StepTime> prefill() {
        return prefill;
    }

    List<StepTime> decode() {
        return decode;
    }
}
