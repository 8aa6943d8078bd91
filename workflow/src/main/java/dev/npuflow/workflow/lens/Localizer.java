package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lens.Localization.Fault;
import dev.npuflow.workflow.lens.NoiseCache.NoiseKey;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.PaddedModel;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.reference.ReferenceEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Finds the first step, layer and operator at which a plan leaves the reference beyond noise, and what is wrong there.
public final class Localizer {

    /// Decode steps on which the noise is taken; it does not grow, for errors do not travel.
    private static final int NOISE_STEPS = 8;

    private final LanguageModel model;
    private final PlanRunner runner;
    private final NoiseCache cache;

    /// @param cacheDirectory of the workspace
    public Localizer(LanguageModel model, PlanRunner runner, Path cacheDirectory) {
        this.model = model;
        this.runner = runner;
        this.cache = new NoiseCache(cacheDirectory);
    }

    /// @param prompts     tried in this order, at least one
    /// @param decodeSteps after each prompt at most
    public Localization localize(Deployment deployment, List<Prompt> prompts, int decodeSteps) {
        // As wide as the NPU computes it, so that every value has the reference's elements.
        LanguageModel wide = PaddedModel.of(model, deployment.model());
        OperatorNoise noise = noise(wide, prompts.getFirst(), Math.min(NOISE_STEPS, decodeSteps));
        Optional<Fault> fault = Optional.empty();
        SortedSet<String> unjudged = new TreeSet<>();
        for (int i = 0; i < prompts.size() && fault.isEmpty(); i++) {
            fault = firstFault(wide, deployment, prompts.get(i), i, decodeSteps, noise, unjudged);
        }
        return new Localization(deployment.hash(), prompts.size(), decodeSteps, fault, List.copyOf(unjudged));
    }

    private Optional<Fault> firstFault(LanguageModel wide, Deployment deployment, Prompt prompt, int promptIndex, int decodeSteps, OperatorNoise noise,
            SortedSet<String> unjudged) {
        try (ReferenceSteps reference = new ReferenceSteps(wide, prompt.idArray(), _ -> true)) {
            FaultFinder finder = new FaultFinder(wide, deployment, reference, promptIndex, noise);
            unjudged.addAll(run(deployment, reference, decodeSteps, finder));
            return finder.fault();
        }
    }

    private OperatorNoise noise(LanguageModel wide, Prompt prompt, int steps) {
        NoiseKey key = new NoiseKey(wide.fingerprint(), prompt.ids(), steps, ReferenceEngine.ARITHMETIC_VERSION,
                wide.config().block().operators().stream().map(operator -> operator.output().name()).toList());
        return cache.find(key).orElseGet(() -> {
            OperatorNoise noise = ReferenceSteps.noise(wide, prompt.idArray(), steps);
            cache.put(key, noise);
            return noise;
        });
    }

    /// @return the launches that could not be judged
    private SortedSet<String> run(Deployment deployment, ReferenceSteps reference, int decodeSteps, Consumer<Seen> judge) {
        TeacherForcing forcing = new TeacherForcing(deployment, model.config().block(), judge);
        try (DeploymentRun run = runner.open(deployment, forcing)) {
            run.preload();
            for (int step = 0; step <= decodeSteps && !(judge instanceof FaultFinder finder && finder.fault().isPresent()); step++) {
                forcing.expect(reference.pass(step));
                if (step == 0) {
                    run.prefill(reference.prompt());
                } else {
                    run.decode(reference.token(step));
                }
            }
        }
        return forcing.unjudged();
    }
}
