package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every command that runs an engine, on a copy of tiny_kjv in which one weight is NaN.
class BadWeightsTest {

    private static final String TENSOR = "model.layers.1.mlp.up_proj.weight";
    private static final int ROW = 3;
    private static final int COLUMN = 17;

    @TempDir static Path folder;

    @BeforeAll static void one_weight_is_nan() throws IOException {
        for (String file : List.of("config.json", "generation_config.json", "model.safetensors", "tokenizer.json")) {
            Files.copy(TinyKjv.directory().resolve(file), folder.resolve(file));
        }
        Path weights = folder.resolve("model.safetensors");
        try (Arena arena = Arena.ofConfined(); FileChannel channel = FileChannel.open(weights, StandardOpenOption.WRITE)) {
            SafetensorsFile mapped = SafetensorsFile.map(weights, arena);
            TensorEntry entry = mapped.tensors().stream().filter(each -> each.name().equals(TENSOR)).findFirst().orElseThrow();
            long data = Files.size(weights) - mapped.data().byteSize();
            channel.write(ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN).putShort(0, (short) 0x7fc0),
                    data + entry.begin() + 2 * (ROW * entry.shape().getLast() + COLUMN));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"generate --engine reference", "generate --engine npu", "verify", "profile", "diagnosis", "localize", "phase3", "phase5", "deploy",
        "ablate --skills opt-buffer-object-reuse"})
    void one_line_names_the_weight(String command) {
        String[] arguments = Stream.concat(Arrays.stream(command.split(" ")), Stream.of(folder.toString(), "--workspace", folder.resolve("workspace").toString()))
                .toArray(String[]::new);
        CommandRun run = CommandRun.of(arguments);
        assertEquals(2, run.exitCode(), run.err());
        String line = "NPF-142 model.safetensors: tensor %s (NaN at row %d, column %d): expected ".formatted(TENSOR, ROW, COLUMN);
        assertTrue(run.err().lines().anyMatch(told -> told.startsWith(line)), run.err());
        assertTrue(run.err().lines().noneMatch(told -> told.startsWith("\tat ")), run.err());
    }

    @Test void what_the_line_advises_finds_it() {
        CommandRun run = CommandRun.of("inspect", "--values", folder.toString());
        assertTrue(run.out().contains(TENSOR) && run.out().contains("1 NaN, first at [%d, %d]".formatted(ROW, COLUMN)), run.out());
    }
}
