package dev.npuflow.benchmarks;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.measurement.SimTarget.ReferenceTokens;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.reference.ReferenceOptions;
import dev.npuflow.workflow.reference.ReferenceTraces;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.hipparchus.stat.descriptive.rank.Median;

/// What the gate's third rule, that of the distribution, costs a verification whose reference is cached, and what the longer check of one prompt takes.
/// Arguments: model directory, workspace. With and without the rule by turns, in one run.
public final class GateCost {

    private static final int PROMPTS = 2;
    private static final int PAIRS = 5;
    private static final double MOST = 1.10;

    private final LanguageModel model;
    private final ModelPrompts prompts;

    private GateCost(LanguageModel model) {
        this.model = model;
        this.prompts = ModelPrompts.read(model);
    }

    public static void main(String[] arguments) {
        Path cache = Path.of(arguments[1]).resolve("cache");
        try (LanguageModel model = LanguageModels.open(Path.of(arguments[0]), OpenOptions.cachingIn(cache))) {
            new GateCost(model).measure(cache);
        }
    }

    private void measure(Path cache) {
        ReferenceTokens all = (judged, rules) -> new ReferenceTraces(cache, ReferenceOptions.defaults(_ -> { }), rules.tokens(), rules.k())
                .of(model, judged.stream().map(Prompt::idArray).toList(), GenerationProgress.SILENT);
        ReferenceTokens tokensOnly = (judged, rules) -> all.traces(judged, rules).stream().map(Expected::tokens).map(Expected::tokens).toList();
        try (SimTarget with = target(all); SimTarget without = target(tokensOnly)) {
            Deployment plan = with.baseline();
            verify(with, plan);
            double[] ratios = new double[PAIRS];
            for (int pair = 0; pair < PAIRS; pair++) {
                boolean ruleFirst = pair % 2 == 0;
                double first = verify(ruleFirst ? with : without, plan);
                double second = verify(ruleFirst ? without : with, plan);
                ratios[pair] = ruleFirst ? first / second : second / first;
            }
            double ratio = new Median().evaluate(ratios);
            System.out.printf(Locale.ROOT, "%-52s %8.3f    limit %.2f%s%n", "verify with the third rule / without, median of " + PAIRS, ratio, MOST,
                    ratio > MOST ? "  above" : "");
            with.verifyLonger(plan);
            long start = System.nanoTime();
            with.verifyLonger(plan);
            System.out.printf(Locale.ROOT, "%-52s %8.1f s%n", "the longer check of one prompt, reference cached", (System.nanoTime() - start) / 1e9);
        }
    }

    private static double verify(SimTarget target, Deployment plan) {
        long start = System.nanoTime();
        GateResult result = target.verify(plan, PROMPTS);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (!result.passed()) {
            throw new IllegalStateException(result.verdict().toString());
        }
        return seconds;
    }

    private SimTarget target(ReferenceTokens reference) {
        return new SimTarget(model, prompts, Devices.load("npu2", List.of()), new LaunchClock(), reference, GenerationProgress.SILENT);
    }
}
