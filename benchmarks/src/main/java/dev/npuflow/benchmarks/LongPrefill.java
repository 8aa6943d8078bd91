package dev.npuflow.benchmarks;

import dev.npuflow.npu.clock.LaunchClock;
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
import java.util.stream.IntStream;

/// The wall clock of executing one prefill of 128 real positions on the simulated NPU, weights resident. Arguments: model directory, workspace.
public final class LongPrefill {

    private static final int POSITIONS = 128;
    private static final int ROUNDS = 5;
    private static final int WARM_UP = 2;
    private static final double LIMIT_SECONDS = 5;

    private LongPrefill() {}

    public static void main(String[] arguments) throws IOException {
        Path workspace = Path.of(arguments[1]);
        try (LanguageModel model = LanguageModels.open(Path.of(arguments[0]), OpenOptions.cachingIn(workspace.resolve("cache")))) {
            SimTarget target = new SimTarget(model, ModelPrompts.read(model), Devices.load("npu2", List.of()), new LaunchClock(), (_, _) -> List.of(), GenerationProgress.SILENT);
            int vocabulary = model.config().vocabSize();
            int[] prompt = IntStream.range(0, POSITIONS).map(i -> (i * 7919 + 1000) % vocabulary).toArray();
            try (DeploymentRun run = target.open(target.baseline(), RunObserver.NONE)) {
                double[] seconds = new double[ROUNDS];
                for (int round = -WARM_UP; round < ROUNDS; round++) {
                    long start = System.nanoTime();
                    run.prefill(prompt);
                    seconds[Math.max(round, 0)] = (System.nanoTime() - start) / 1e9;
                }
                Arrays.sort(seconds);
                double median = seconds[ROUNDS / 2];
                System.out.printf(Locale.ROOT, "prefill of %d positions: median %.2f s, slowest %.2f s; limit %.1f%s%n", POSITIONS, median, seconds[ROUNDS - 1],
                        LIMIT_SECONDS, median > LIMIT_SECONDS ? "  above" : "");
            }
        }
    }
}
