package dev.npuflow.benchmarks;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.generation.TopK;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// How far the NPU's logits are from the reference's on one model, against how far apart the best two tokens are: a gate can only judge where
/// margins are wider than the distance. Arguments: model directory, workspace. Both engines read the reference's greedy tokens.
public final class LogitDistance {

    private static final int TOKENS = 32;

    private LogitDistance() {}

    public static void main(String[] arguments) {
        Path workspace = Path.of(arguments[1]);
        try (LanguageModel model = LanguageModels.open(Path.of(arguments[0]), OpenOptions.cachingIn(workspace.resolve("cache")))) {
            ModelPrompts prompts = ModelPrompts.read(model);
            SimTarget target = new SimTarget(model, prompts, Devices.load("npu2", List.of()), new LaunchClock(), (_, _) -> List.of(), GenerationProgress.SILENT);
            try (TokenEngine reference = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }));
                    TokenEngine npu = target.open(target.baseline(), RunObserver.NONE)) {
                measure(reference, npu, prompts.canonical().idArray());
            }
        }
    }

    private static void measure(TokenEngine reference, TokenEngine npu, int[] prompt) {
        List<Float> margins = new ArrayList<>();
        TreeSet<Integer> ids = new TreeSet<>();
        float largest = 0;
        int fed = 0;
        for (int step = 0; step < TOKENS; step++) {
            float[] expected = step == 0 ? reference.prefill(prompt) : reference.decode(fed);
            float[] found = step == 0 ? npu.prefill(prompt) : npu.decode(fed);
            for (int i = 0; i < expected.length; i++) {
                largest = Math.max(largest, Math.abs(expected[i] - found[i]));
            }
            List<Integer> best = TopK.of(expected, 2);
            margins.add(expected[best.get(0)] - expected[best.get(1)]);
            fed = best.getFirst();
            ids.add(fed);
        }
        Collections.sort(margins);
        float median = (margins.get(TOKENS / 2 - 1) + margins.get(TOKENS / 2)) / 2;
        System.out.printf(Locale.ROOT, "%d greedy tokens, %d different; median top-1 margin %.4f; largest NPU-reference logit difference %.4f; ratio %.2f%n",
                TOKENS, ids.size(), median, largest, median / largest);
    }
}
