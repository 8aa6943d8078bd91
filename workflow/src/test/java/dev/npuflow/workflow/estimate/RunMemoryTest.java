package dev.npuflow.workflow.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.ModelInspection;
import dev.npuflow.workflow.model.StoredBytes;
import dev.npuflow.workflow.model.safetensors.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunMemoryTest {

    /// Peaks of resident memory of `generate -n 3` on a machine of 24 GB and 2 cores, read from /proc by a program apart, in MB. `wide` is a Llama of 4 layers,
    /// hidden size 512, feed-forward 8192, vocabulary 1024.
    @ParameterizedTest
    @CsvSource({"tiny_kjv, 10, 205, 225", "qwen25_0_5b, 10, 1187, 1187", "qwen25_0_5b, 515, 1333, 1554", "wide, 10, 312, 327", "wide, 2003, 1313, 1287",
            "llama32_1b, 203, 2686, 2807"})
    void what_is_told_is_what_was_measured_to_a_tenth(String name, int positions, long reference, long npu, @TempDir Path directory) throws IOException {
        RunMemory memory = memory(name.equals("wide") ? wide(directory) : Path.of(System.getProperty("npuflow.root"), "programming_examples/llms", name), positions);
        assertEquals(1, (double) memory.reference() / (reference * 1_000_000), 0.1);
        assertEquals(1, (double) memory.npu().getAsLong() / (npu * 1_000_000), 0.1);
    }

    @Test void weights_that_are_rounded_stand_in_memory_twice() {
        ModelInspection model = ModelInspection.of(Cases.folder("a01/tiny"));
        ModelInspection wider = new ModelInspection(model.description(), model.tensorCount(), new StoredBytes(1 << 30,
                new TreeMap<>(Map.of(ElementType.F32, 4L << 30))), model.weights(), Optional.empty(), List.of());
        long more = RunMemory.of(wider, Optional.empty(), 16, 2048).reference() - RunMemory.of(model, Optional.empty(), 16, 2048).reference();
        assertEquals((4L << 30) + (2L << 30) - model.stored().bytes(), more);
    }

    @Test void a_longer_text_takes_more_and_a_plan_that_does_not_place_takes_nothing() {
        ModelInspection model = ModelInspection.of(Cases.folder("a01/tiny"));
        RunMemory near = RunMemory.of(model, Optional.empty(), 16, 2048);
        assertEquals(OptionalLong.empty(), near.npu());
        assertTrue(RunMemory.of(model, Optional.empty(), 32, 2048).reference() > near.reference());
        // behind the longest prompt a position takes keys and values only: 2 · layers · 2 heads of 16 · fp32, in arrays that are up to half empty
        long layers = model.description().config().layers();
        assertEquals(2 * layers * 2 * 16 * 4 * 2, RunMemory.of(model, Optional.empty(), 2049, 2048).reference() - RunMemory.of(model, Optional.empty(), 2048, 2048).reference());
    }

    private static RunMemory memory(Path directory, int positions) {
        ModelInspection model = ModelInspection.of(directory);
        Deployment plan = DeviceLowering.of(Devices.load("npu2", List.of())).baseline("model", model.description().config());
        return RunMemory.of(model, Optional.of(plan), positions, 2048);
    }

    private static Path wide(Path directory) throws IOException {
        Files.writeString(directory.resolve("config.json"), """
                {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 512, "intermediate_size": 8192, "num_hidden_layers": 4,
                 "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 1024, "max_position_embeddings": 4096, "tie_word_embeddings": true}""");
        return directory;
    }
}
