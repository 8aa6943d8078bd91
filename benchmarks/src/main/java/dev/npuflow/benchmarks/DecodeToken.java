package dev.npuflow.benchmarks;

import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.kernel.Workers;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.OpenOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One functional and timed decode token of a model against the time it takes just to read the model's weights, in one run, in turn. Arguments: model
/// directory, workspace.
public final class DecodeToken {

    private static final int ROUNDS = 24;
    private static final int WARM_UP = 4;
    private static final long FILE_BYTES = 525_336_576;
    private static final double TARGET = 0.70;

    private DecodeToken() {}

    public static void main(String[] arguments) throws IOException {
        Path workspace = Path.of(arguments[1]);
        try (LanguageModel model = LanguageModels.open(Path.of(arguments[0]), OpenOptions.cachingIn(workspace.resolve("cache")));
                MappedWeights weights = MappedWeights.create(Optional.empty(), FILE_BYTES);
                Workers workers = new Workers(Runtime.getRuntime().availableProcessors())) {
            ModelPrompts prompts = ModelPrompts.read(model);
            SimTarget target = new SimTarget(model, prompts, Devices.load("npu2", List.of()), new LaunchClock(), (_, _) -> List.of(), GenerationProgress.SILENT);
            try (DeploymentRun run = target.open(target.baseline(), RunObserver.NONE)) {
                run.prefill(prompts.canonical().idArray());
                measure(run, weights, workers, bytesAToken(model));
            }
        }
    }

    private static void measure(DeploymentRun run, MappedWeights weights, Workers workers, long bytes) {
        double[] tokens = new double[ROUNDS];
        double[] rates = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            int kept = Math.max(round, 0);
            long start = System.nanoTime();
            run.decode(1000 + kept);
            tokens[kept] = System.nanoTime() - start;
            start = System.nanoTime();
            long read = weights.readAll(workers.threads(), (parts, part) -> workers.run(parts, part::accept));
            rates[kept] = read / (double) (System.nanoTime() - start);
        }
        Arrays.sort(tokens);
        Arrays.sort(rates);
        double rate = rates[ROUNDS / 2];
        double token = tokens[ROUNDS / 2];
        System.out.printf(Locale.ROOT, "decode token: median %.1f ms, best %.1f ms; %.3f GB of weights at %.1f GB/s sequential take %.1f ms: %.0f %% of the bound%s%n",
                token / 1e6, tokens[0] / 1e6, bytes / 1e9, rate, bytes / rate / 1e6, 100 * bytes / rate / token, bytes / rate / token < TARGET ? ", below 70 %" : "");
    }

    /// Every weight once, but of the embedding table only one row unless it is the head too.
    private static long bytesAToken(LanguageModel model) {
        var config = model.config();
        long layer = (long) config.hiddenSize() * (2L * config.queryDim() + 2L * config.keyValueDim() + 3L * config.intermediateSize());
        return 2 * (config.layers() * layer + (long) config.vocabSize() * config.hiddenSize());
    }
}
