package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the Makefiles ask of npuflow, with `printf` in its place: one argument a line.
class MakefileTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));

    record Run(int exitCode, List<String> lines) {}

    @Test
    void run_goes_on_from_the_canonical_prompt_for_32_tokens() throws Exception {
        assertEquals(List.of("generate", ".", "--prompt", "And Jesus said unto them", "-n", "32", "--engine", "npu"),
                model("tiny_kjv", "run").lines());
    }

    @Test
    void a_model_without_a_tokenizer_goes_on_from_ids() throws Exception {
        assertEquals(List.of("generate", ".", "--ids", "128000,63290,37750,73301,8280,6875,81988", "-n", "32", "--engine", "npu"),
                model("llama32_1b", "run").lines());
    }

    @Test
    void nothing_in_a_prompt_is_expanded() throws Exception {
        String prompt = "it's  $HOME \"x\" `id` * \\";
        assertEquals(prompt, model("tiny_kjv", "run", "PROMPT=" + prompt.replace("$", "$$")).lines().get(3));
        assertEquals(prompt, root("run", "PROMPT=" + prompt.replace("$", "$$")).lines().get(3));
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
        assertEquals("--ids", root("run", "MODEL=llama32_1b").lines().get(2));
        assertEquals("--prompt", root("run").lines().get(2));
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
