package dev.npuflow.skill.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TinyModelTest {

    @Test void its_tokens_vary_so_that_a_stale_value_shows() {
        TokenTrace trace = trace();
        assertTrue(new HashSet<>(trace.chosen()).size() >= 10, trace.chosen().toString());
        assertEquals(trace.chosen(), trace().chosen());
    }

    private static TokenTrace trace() {
        try (LanguageModel model = TinyModel.open(); ReferenceEngine engine = new ReferenceEngine(model, ReferenceOptions.defaults(_ -> { }))) {
            return GreedyDecoder.trace(engine, new int[] {1, 2, 3}, 32, 5);
        }
    }

    @Test void its_plan_is_that_of_the_model_itself() {
        try (LanguageModel model = TinyModel.open()) {
            assertEquals(TinyModel.SHAPE, DeviceLowering.of(Devices.load(TinyModel.DEVICE, List.of())).shapeOf(model));
        }
    }
}
