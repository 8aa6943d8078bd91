package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelYamlTest {

    private static final String FIELDS = "one of name, canonical_prompt, canonical_prompt_ids, prompts, phase_prompts, notes";

    @TempDir Path folder;

    private ModelYaml read(String text) throws Exception {
        Files.writeString(folder.resolve("model.yaml"), text);
        return ModelYaml.read(folder);
    }

    private String refusal(String text) {
        NpuflowException fault = assertThrows(NpuflowException.class, () -> read(text));
        assertEquals(ExitCode.BAD_INPUT, fault.exitCode());
        return fault.getMessage();
    }

    @Test void every_field_is_read() throws Exception {
        ModelYaml yaml = read("# a comment\nname: toy\ncanonical_prompt: In the beginning # was\nprompts: prompts.txt\n\nphase_prompts: 3\nnotes: made by hand\n");
        assertEquals(List.of("toy", "In the beginning", "prompts.txt", "made by hand"),
                List.of(yaml.name().get(), yaml.canonicalPrompt().get(), yaml.prompts().get(), yaml.notes().get()));
        assertEquals(3, yaml.phasePrompts().get().among(3, "prompts.txt"));
        assertEquals("[1,2]", read("canonical_prompt_ids: [1, 2]\n").canonicalIds().get().toString());
    }

    @ParameterizedTest @ValueSource(strings = {"", "# nothing yet\n", "---\n"})
    void a_file_without_a_field_says_nothing_and_so_does_none(String text) throws Exception {
        ModelYaml nothing = new ModelYaml(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        assertEquals(nothing, ModelYaml.read(folder));
        assertEquals(nothing, read(text));
    }

    @ParameterizedTest @CsvSource({"canonical_promt, canonical_prompt", "canonical_prompt_id, canonical_prompt_ids", "prompt, prompts", "phase-prompts, phase_prompts",
        "Notes, notes", "nmae, name"})
    void a_misspelt_field_is_refused_and_the_nearest_is_named(String misspelt, String meant) {
        assertEquals("NPF-190 model.yaml line 3: field %s (unknown): expected %s; try %s".formatted(misspelt, FIELDS, meant),
                refusal("# the model\nname: toy\n%s: some\n".formatted(misspelt)));
    }

    @Test void a_field_that_is_like_none_of_ours_is_to_be_removed() {
        assertTrue(refusal("temperature: 0.7\n").endsWith("try removing the line"));
    }

    @ParameterizedTest @ValueSource(strings = {"many", "0", "-1", "2.5", "[2]", "99999999999", "true", "''", "~"})
    void what_is_no_number_of_prompts_is_refused(String value) {
        String refusal = refusal("name: toy\nphase_prompts: " + value + "\n");
        assertTrue(refusal.matches("NPF-190 model.yaml line 2: field phase_prompts \\(.*\\): expected a number of prompts from 1; try phase_prompts: 2"), refusal);
    }

    @Test void more_prompts_than_there_are_are_refused_and_all_of_them_are_not() throws Exception {
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1], [2]]");
        Files.writeString(folder.resolve("model.yaml"), "phase_prompts: 3\n");
        assertEquals("NPF-190 model.yaml line 1: field phase_prompts (3): expected at most 2, the prompts of prompts.ids.json; try phase_prompts: 2",
                assertThrows(NpuflowException.class, this::prompts).getMessage());
        Files.writeString(folder.resolve("model.yaml"), "phase_prompts: 2\n");
        assertEquals(2, prompts().phaseGate());
    }

    @Test void a_phase_without_a_word_takes_two_or_the_only_one() throws Exception {
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1], [2], [3]]");
        assertEquals(2, prompts().phaseGate());
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1]]");
        assertEquals(1, prompts().phaseGate());
    }

    private ModelPrompts prompts() {
        return ModelPrompts.read(folder, new Vocabulary(100), ModelPrompts.VERIFY, Optional.empty());
    }

    @ParameterizedTest @ValueSource(strings = {"", "null", "[1]", "{a: b}", "|\n  two\n  lines", "'  '"})
    void what_is_no_line_of_text_is_refused(String value) {
        String refusal = refusal("canonical_prompt: " + value + "\n");
        assertTrue(refusal.startsWith("NPF-190 model.yaml line 1: field canonical_prompt (") && refusal.contains("expected text on one line"), refusal);
    }

    @ParameterizedTest @ValueSource(strings = {"1850", "true", "2.50"})
    void a_prompt_that_looks_like_a_number_is_text_as_it_is_written(String value) throws Exception {
        assertEquals(value, read("canonical_prompt: " + value + "\n").canonicalPrompt().orElseThrow());
    }

    @ParameterizedTest @ValueSource(strings = {"1, 2", "[]", "[a]", "[1.5]", "[[1]]"})
    void what_are_no_ids_is_refused(String value) {
        assertTrue(refusal("canonical_prompt_ids: " + value + "\n").contains("expected one or more token ids on one line; try canonical_prompt_ids: [1, 2, 3]"));
    }

    @Test void two_canonical_prompts_are_refused_whichever_comes_first() {
        assertTrue(refusal("canonical_prompt: a\ncanonical_prompt_ids: [1]\n").startsWith("NPF-190 model.yaml line 2: field canonical_prompt_ids (beside canonical_prompt)"));
        assertTrue(refusal("canonical_prompt_ids: [1]\ncanonical_prompt: a\n").startsWith("NPF-190 model.yaml line 1: field canonical_prompt_ids (beside canonical_prompt)"));
    }

    @Test void a_text_without_a_tokenizer_is_refused_not_left_out() throws Exception {
        Files.writeString(folder.resolve("model.yaml"), "canonical_prompt: a\n");
        assertTrue(assertThrows(NpuflowException.class, this::prompts).getMessage().startsWith("NPF-182 model.yaml: canonical_prompt"));
    }

    @ParameterizedTest @CsvSource(delimiter = '!', value = {"just text ! no field at line 1", "[1, 2] ! no field at line 1",
        "'name: a\nname: b' ! field name stands twice, line 2, column", "'name: a\n---\nname: b' ! a second document at line 3",
        "'name: a\n b: c' ! an unexpected character or word, line 2"})
    void what_is_no_yaml_of_fields_is_refused(String text, String how) {
        String refusal = refusal(text);
        assertTrue(refusal.startsWith("NPF-185 model.yaml (" + how), refusal);
    }

    @Test void an_anchor_and_a_deep_value_do_no_harm() {
        assertTrue(refusal("notes: &a [*a]\n").startsWith("NPF-1"));
        assertTrue(refusal("notes: " + "[".repeat(3000) + "\n").startsWith("NPF-185"));
    }
}
