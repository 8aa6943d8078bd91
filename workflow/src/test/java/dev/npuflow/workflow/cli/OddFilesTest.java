package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.generation.GateFile;
import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is no file, in the place of every file that a command reads: one line, and no waiting. A pipe without a writer would be waited for without end.
class OddFilesTest {

    /// Generous: a machine may be busy, and what waits for a writer waits for ever.
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir private Path folder;

    /// What may stand under a file's name.
    enum Odd {
        PIPE {
            @Override void make(Path file) throws IOException {
                try {
                    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
        },
        DIRECTORY {
            @Override void make(Path file) throws IOException {
                Files.createDirectory(file);
            }
        },
        CIRCLE {
            @Override void make(Path file) throws IOException {
                Files.createSymbolicLink(file, file.getFileName());
            }
        },
        NOWHERE {
            @Override void make(Path file) throws IOException {
                Files.createSymbolicLink(file, Path.of("no-such-file"));
            }
        },
        ENDLESS_DEVICE {
            @Override void make(Path file) throws IOException {
                Files.createSymbolicLink(file, Path.of("/dev/zero"));
            }
        },
        HUGE {
            @Override void make(Path file) throws IOException {
                try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
                    sparse.setLength(1L << 36);
                }
            }
        };

        abstract void make(Path file) throws IOException;
    }

    private static CommandRun run(String... arguments) {
        CommandRun run = assertTimeoutPreemptively(LONGEST, () -> CommandRun.of(arguments));
        assertTrue(!run.err().contains("NPF-899") && !run.err().contains("\tat "), run.err());
        return run;
    }

    private static void assertRefused(String... arguments) {
        CommandRun run = run(arguments);
        assertTrue(run.exitCode() == 2 || run.exitCode() == 3, () -> run.exitCode() + " " + List.of(arguments) + run);
        assertTrue(run.err().lines().filter(line -> line.startsWith("NPF-")).count() == 1, () -> List.of(arguments) + run.err());
    }

    private Path model(String name) throws IOException {
        Path model = Files.createDirectory(folder.resolve(name));
        try (Stream<Path> files = Files.list(Cases.folder("e16/model"))) {
            for (Path file : files.toList()) {
                Files.copy(file, model.resolve(file.getFileName()));
            }
        }
        return model;
    }

    /// Not an index: beside a whole model it is not read.
    @ParameterizedTest @EnumSource void as_a_file_of_a_model(Odd odd) throws IOException {
        for (String name : List.of("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "added_tokens.json", "model.safetensors",
                "model.yaml", "prompts.txt")) {
            Path model = model(odd + name);
            Files.deleteIfExists(model.resolve(name));
            odd.make(model.resolve(name));
            assertRefused("profile", model.toString(), "-n", "1", "--workspace", folder.resolve("workspace").toString());
        }
    }

    @ParameterizedTest @EnumSource void as_an_index_of_shards(Odd odd) throws IOException {
        Path model = model("sharded");
        Files.move(model.resolve("model.safetensors"), model.resolve("model-00001-of-00001.safetensors"));
        odd.make(model.resolve("model.safetensors.index.json"));
        assertRefused("inspect", model.toString());
    }

    @ParameterizedTest @EnumSource void as_a_file_that_an_option_names(Odd odd) throws IOException {
        String model = model("model").toString();
        Path device = folder.resolve("device.yaml");
        odd.make(device);
        assertRefused("estimate", model, "--device", device.toString());
        Path rows = folder.resolve("rows.csv");
        odd.make(rows);
        assertRefused("sim", "validate", "--models", rows.toString());
        assertRefused("sim", "validate", "--kernels", rows.toString());
        Path gate = folder.resolve("gate.json");
        odd.make(gate);
        NpuflowException refused = assertTimeoutPreemptively(LONGEST, () -> assertThrows(NpuflowException.class, () -> GateFile.read(gate)));
        assertTrue(List.of("NPF-101", "NPF-108", "NPF-170", "NPF-171").contains(refused.id()), refused.getMessage());
    }

    @ParameterizedTest @EnumSource void as_a_ledger_or_its_lock(Odd odd) throws IOException {
        String model = model("model").toString();
        for (String name : List.of("ledger.sqlite", "lock")) {
            Path workspace = Files.createDirectory(folder.resolve("workspace of " + name));
            odd.make(workspace.resolve(name));
            CommandRun run = run("phase5", model, "--workspace", workspace.toString(), "--dry-run");
            // A lock is a file whose content means nothing.
            assertTrue(run.exitCode() == 2 || run.exitCode() == 3 || name.equals("lock") && odd == Odd.HUGE, () -> name + " " + run);
        }
    }

    @ParameterizedTest @EnumSource void as_a_jar_it_is_told_of_and_hides_no_other(Odd odd) throws IOException {
        Path skills = Files.createDirectory(folder.resolve("skills"));
        odd.make(skills.resolve("a.jar"));
        CommandRun run = run("skills", "--skills-dir", skills.toString());
        assertTrue(run.exitCode() == 0 && (odd == Odd.DIRECTORY || (run.out() + run.err()).contains("a.jar")), run::toString);
    }
}
