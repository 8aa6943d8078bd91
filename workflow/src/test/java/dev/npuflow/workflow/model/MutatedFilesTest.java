package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Many damaged copies of good files: each is either still good or refused in one line, never anything else.
class MutatedFilesTest {

    private static final String JSON_BYTES = "{}[]\",:0123456789-eE.\\ntf\u0000\u00ff ";

    @TempDir Path directory;

    private void copyOf(String variant) throws IOException {
        try (Stream<Path> files = Files.list(Cases.folder(variant))) {
            for (Path file : files.toList()) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
    }

    /// Of the weights only the header is worth damaging: any other byte is a legal weight.
    @ParameterizedTest
    @CsvSource({"config.json,400,100000", "generation_config.json,100,100000", "model.safetensors,1000,900", "tokenizer.json,300,100000"})
    void a_damaged_file_is_good_or_refused_in_one_line(String name, int rounds, int damageable) throws IOException {
        copyOf("a16/list_in_generation_config");
        Path file = directory.resolve(name);
        byte[] good = Files.readAllBytes(file);
        Random random = new Random(20_250_601);
        int refused = 0;
        for (int round = 0; round < rounds; round++) {
            Files.write(file, damaged(good, random, Math.min(damageable, good.length)));
            try (LanguageModel model = LanguageModels.open(directory, OpenOptions.cachingIn(directory.resolve("cache")))) {
                assertEquals(WeightOrigin.FILE, model.weightOrigin());
            } catch (NpuflowException fault) {
                refused++;
                assertEquals(1, fault.getMessage().lines().count());
                assertTrue(fault.getMessage().matches("NPF-1[0-5]\\d .*: expected .*; try .*"), fault.getMessage());
            }
        }
        assertTrue(refused > rounds / 20, refused + " of " + rounds + " refused");
    }

    private static byte[] damaged(byte[] good, Random random, int damageable) {
        byte[] bytes = good.clone();
        for (int change = random.nextInt(3); change >= 0; change--) {
            bytes[random.nextInt(damageable)] = (byte) JSON_BYTES.charAt(random.nextInt(JSON_BYTES.length()));
        }
        return random.nextInt(10) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    @Test void the_undamaged_copy_is_good() throws IOException {
        copyOf("a16/list_in_generation_config");
        LanguageModels.open(directory, OpenOptions.cachingIn(directory.resolve("cache"))).close();
    }
}
