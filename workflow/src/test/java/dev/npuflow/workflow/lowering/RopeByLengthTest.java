package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/// Rope scalings that depend on the length of the text, on each engine against values from neither. The prefill is padded to 2048 positions, far beyond
/// every original length here: what counts is the text.
class RopeByLengthTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    enum Engine { REFERENCE, NPU }

    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({"longrope_crossing, REFERENCE", "longrope_crossing, NPU", "dynamic_beyond, REFERENCE", "dynamic_beyond, NPU",
            "dynamic_crossing, REFERENCE", "dynamic_crossing, NPU"})
    void a_pass_rotates_by_its_own_length_and_older_keys_stay_as_they_are(String run, Engine engine) {
        JsonNode right = Cases.expected("rope_by_length").get(run);
        List<float[]> logits = new ArrayList<>();
        List<Integer> ids = new ArrayList<>();
        try (LanguageModel model = open(right); TokenEngine running = start(engine, model)) {
            generate(running, prompt(right), ids, logits);
        }
        assertEquals(integers(right.get("greedy_ids")), ids);
        right.get("wrong").properties().forEach(mistake -> assertNotEquals(integers(mistake.getValue()), ids, mistake.getKey()));
        double rounding = 2 * right.get("max_abs_bf16_minus_f64").doubleValue();
        for (int step = 0; step < ids.size(); step++) {
            for (int id = 0; id < logits.get(step).length; id++) {
                String where = "step %d, id %d".formatted(step, id);
                assertEquals(right.get("logits_per_step_f64").get(step).get(id).doubleValue(), logits.get(step)[id], rounding, where);
                if (engine == Engine.REFERENCE) {
                    assertEquals(right.get("logits_per_step_bf16_pipeline").get(step).get(id).doubleValue(), logits.get(step)[id], 1e-5, where);
                }
            }
        }
    }

    /// Transformers keeps the frequencies of the longest text that a process has seen.
    @ParameterizedTest @EnumSource
    void a_query_does_not_depend_on_the_one_before(Engine engine) {
        JsonNode beyond = Cases.expected("rope_by_length").get("dynamic_beyond");
        JsonNode crossing = Cases.expected("rope_by_length").get("dynamic_crossing");
        try (LanguageModel model = open(beyond); TokenEngine running = start(engine, model)) {
            running.prefill(IntStream.range(0, 64).map(i -> 3 + i % 29).toArray());
            for (JsonNode run : List.of(beyond, crossing, beyond)) {
                List<Integer> ids = new ArrayList<>();
                generate(running, prompt(run), ids, new ArrayList<>());
                assertEquals(integers(run.get("greedy_ids")), ids);
            }
        }
    }

    @ParameterizedTest @EnumSource
    void a_dynamic_scaling_ends_at_its_factor_times_the_pretrained_length(Engine engine) {
        try (LanguageModel model = open(Cases.expected("rope_by_length").get("dynamic_beyond")); TokenEngine running = start(engine, model)) {
            assertEquals(32, running.prefill(IntStream.range(0, 64).map(i -> 3).toArray()).length);
            if (engine == Engine.REFERENCE) {
                String told = assertThrows(NpuflowException.class, () -> running.decode(3)).getMessage();
                assertTrue(told.startsWith("NPF-163 position (64): expected at most 64 positions"), told);
            }
        }
    }

    private LanguageModel open(JsonNode run) {
        return LanguageModels.open(Cases.folder(run.get("model").stringValue()), OpenOptions.cachingIn(directory));
    }

    private static TokenEngine start(Engine engine, LanguageModel model) {
        return switch (engine) {
            case REFERENCE -> new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }));
            case NPU -> {
                Deployment plan = DeviceLowering.of(NPU2).baseline(model);
                CompiledDeployment compiled = ((CompiledDeployment.Outcome.Compiled) CompiledDeployment.compile(plan, NPU2)).deployment();
                DeploymentRun run = new DeploymentRun(compiled, model, new LaunchClock(), RunObserver.NONE);
                run.preload();
                yield run;
            }
        };
    }

    /// Greedy, to the end whatever the tokens are.
    private static void generate(TokenEngine engine, int[] prompt, List<Integer> ids, List<float[]> logits) {
        for (int step = 0; step < 8; step++) {
            float[] row = step == 0 ? engine.prefill(prompt) : engine.decode(ids.getLast());
            logits.add(row);
            ids.add(IntStream.range(0, row.length).reduce((best, id) -> row[id] > row[best] ? id : best).orElseThrow());
        }
    }

    private static int[] prompt(JsonNode run) {
        return run.get("prompt_ids").valueStream().mapToInt(JsonNode::asInt).toArray();
    }

    private static List<Integer> integers(JsonNode list) {
        return list.valueStream().map(JsonNode::asInt).toList();
    }
}
