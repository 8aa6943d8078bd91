package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the Makefiles ask of npuflow, with `printf` in its place: one argument a line.
class MakefileTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));

    record Run(int exitCode, List<String> lines) {}

    @Test
    void run_without_a_prompt_and_with_an_empty_one_leaves_it_to_npuflow_which_knows_the_canonical_one() throws Exception {
        List<String> canonical = List.of("generate", ".", "-n", "32", "--engine", "npu");
        assertEquals(canonical, model("tiny_kjv", "run").lines());
        assertEquals(canonical, model("tiny_kjv", "run", "PROMPT=").lines());
        assertEquals(canonical, root("run", "PROMPT=", "IDS=").lines());
        assertEquals(canonical, root("run", "MODEL=llama32_1b").lines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"It's $HOME", "two  blanks $$ and \"x\" `id` * \\", "$(shell echo no)", "${X} $", "a MODEL=b c", "# 50 %: a,b (c) ~ ; & |", "ends in blanks  ",
        "--json", "κόσμε"})
    void a_prompt_arrives_byte_for_byte(String prompt) throws Exception {
        assertEquals(prompt, model("tiny_kjv", "run", "PROMPT=" + prompt).lines().get(3));
        assertEquals(prompt, root("run", "PROMPT=" + prompt).lines().get(3));
        assertEquals(prompt, root("diagnosis", "PROMPT=" + prompt).lines().get(3));
    }

    @Test
    void a_prompt_of_several_lines_arrives_too() throws Exception {
        assertEquals(List.of("one", "", "\ttwo"), root("run", "PROMPT=one\n\n\ttwo").lines().subList(3, 6));
    }

    @Test
    void ids_and_tokens_are_words_and_no_commands() throws Exception {
        assertEquals(List.of("profile", ".", "--ids", "1; echo no", "-n", "5;echo no"), root("profile", "IDS=1; echo no", "N_TOKENS=5;echo no").lines());
        assertEquals(List.of("generate", ".", "--ids", "1", "--prompt", "a", "-n", "32", "--engine", "npu"), root("run", "IDS=1", "PROMPT=a").lines());
    }

    @Test
    void a_variable_in_small_letters_is_refused_since_nobody_reads_it() throws Exception {
        for (String variable : List.of("prompt=", "prompt=x", "ids=1", "n_tokens=4")) {
            for (Run run : List.of(root("run", variable), model("tiny_kjv", "run", variable))) {
                assertEquals(2, run.exitCode(), variable);
                assertTrue(run.lines().getFirst().contains(variable.replaceAll("=.*", "=: expected ")) && run.lines().getFirst().contains("in capitals"), run.toString());
            }
        }
    }

    @Test
    void tokens_are_clamped_to_the_positions_that_the_prompt_leaves() throws Exception {
        assertEquals(List.of("profile", ".", "--ids", "1,2,3", "-n", "509"), model("tiny_kjv", "profile", "IDS=1,2,3", "N_TOKENS=1000").lines());
        assertEquals(List.of("profile", ".", "-n", "100"), model("tiny_kjv", "profile", "N_TOKENS=100").lines());
    }

    @Test
    void verify_full_asks_for_all_prompts_and_verify_does_not() throws Exception {
        assertEquals(List.of("verify", ".", "--full"), model("tiny_kjv", "verify-full").lines());
        assertEquals(List.of("verify", "."), model("tiny_kjv", "verify").lines());
    }

    @Test
    void the_root_takes_the_model_and_does_not_pass_it_down_as_the_variant() throws Exception {
        assertEquals(List.of("verify", "."), root("verify", "MODEL=llama32_1b").lines());
        assertEquals("131000", root("run", "MODEL=llama32_1b", "N_TOKENS=131000").lines().get(3), "which has 131072 positions");
        assertEquals(List.of("487"), root("run", "N_TOKENS=131000").lines().subList(3, 4), "tiny_kjv has 512, and 24 letters and a BOS before them");
    }

    @Test
    void a_variant_that_there_is_not_is_refused() throws Exception {
        assertEquals(0, model("tiny_kjv", "verify", "MODEL=base").exitCode());
        assertEquals(2, model("tiny_kjv", "verify", "MODEL=llama32_1b").exitCode());
    }

    @Test
    void a_model_that_there_is_not_is_named_with_those_that_there_are() throws Exception {
        Run run = root("phase5", "MODEL=nope");
        assertEquals(2, run.exitCode());
        assertTrue(run.lines().getFirst().contains("no model nope") && run.lines().getFirst().contains("llama32_1b llama32_3b"), run.toString());
    }

    @Test
    void what_takes_a_directory_instead_is_a_command_that_there_is() throws Exception {
        assertTrue(root("run", "MODEL=nope").lines().getFirst().endsWith("or 'bin/npuflow generate <directory>'"));
        assertTrue(root("verify-full", "MODEL=nope").lines().getFirst().endsWith("or 'bin/npuflow verify --full <directory>'"));
        assertTrue(root("profile", "MODEL=nope").lines().getFirst().endsWith("or 'bin/npuflow profile <directory>'"));
    }

    private static Run model(String model, String... arguments) throws Exception {
        return make(ROOT.resolve("programming_examples/llms").resolve(model), arguments);
    }

    private static Run root(String... arguments) throws Exception {
        // Anything that is there stands for what is built, so that no test starts a build.
        return make(ROOT, Stream.concat(Stream.of("LIB=bin"), Stream.of(arguments)).toArray(String[]::new));
    }

    private static Run make(Path directory, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("make", "--no-print-directory", "NPUFLOW=printf '%s\\n'"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        // What an outer make hands down is none of this one's business.
        List.of("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MODEL", "PROMPT", "IDS", "N_TOKENS").forEach(builder.environment()::remove);
        Process process = builder.start();
        List<String> lines;
        try (var reader = process.inputReader()) {
            lines = reader.lines().toList();
        }
        return new Run(process.waitFor(), lines);
    }
}
