package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A name that is known to nobody is told with the one that was probably meant.
class MistypedNameTest {

    private static final String MODEL = Cases.folder("e16/model").toString();

    @TempDir Path folder;

    private static CommandRun refused(String command) {
        CommandRun run = CommandRun.of(command.replace("MODEL", MODEL).split(" +"));
        assertEquals(2, run.exitCode(), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        return run;
    }

    @ParameterizedTest @CsvSource(delimiter = '|', value = {
        "hepl                                   | NPF-801 command (hepl): expected one of deploy, phase3,     | help",
        "sim timelin gemv                       | NPF-801 command (timelin): expected one of validate,        | timeline",
        "help sim timelin                       | NPF-801 command (timelin): expected one of validate,        | npuflow sim help timeline",
        "profile MODEL --jsno                   | NPF-801 option (--jsno): expected the options and arguments | --json",
        "sim timeline gemv --shape m=8 --no-pingpong | NPF-801 option (--no-pingpong): expected               | --no-ping-pong",
        "generate MODEL --engine refrence       | NPF-801 --engine (refrence): expected reference or npu      | --engine reference",
        "phase5 MODEL --self-check of           | NPF-801 --self-check (of): expected on or off               | --self-check off",
        "plan MODEL --phase prefil              | NPF-801 --phase (prefil): expected prefill or decode        | --phase prefill",
        "estimate MODEL --plan upstrem          | NPF-801 --plan (upstrem): expected baseline or phase5 or upstream | --plan upstream",
        "plan MODEL --plan baselin              | NPF-805 --plan (baselin): expected kept, baseline,          | --plan baseline",
        "plan lama32_1b                         | NPF-803 model (lama32_1b): expected a name under            | llama32_1b, or the path of a Hugging Face directory",
        "kernels check gevm                     | NPF-830 kernel (gevm): expected one of EltwiseAdd,          | GEMV",
        "sim probe --device npu21               | NPF-300 unknown device (npu21): expected npu2, npu1 or      | --device npu2",
        "sim probe --device nup1                | NPF-300 unknown device (nup1): expected npu2, npu1 or       | --device npu1",
        "sim probe --set dram.raed_gbps=3       | NPF-303 --set dram.raed_gbps=3: unknown field (dram.raed_gbps): expected a field of npu2.yaml | --set dram.read_gbps=3"})
    void the_nearest_name_is_what_to_try(String command, String begin, String remedy) {
        String err = refused(command).err();
        assertTrue(err.startsWith(begin), err);
        assertTrue(err.endsWith("; try " + remedy + "\n"), err);
    }

    @ParameterizedTest @CsvSource(delimiter = '|', value = {
        "xyz                          | npuflow --help",
        "profile MODEL --temperature  | npuflow profile --help",
        "generate MODEL --engine cuda | npuflow generate --help",
        "help inspect tiny            | npuflow inspect --help",
        "plan MODEL --plan 12         | leaving --plan out",
        "plan no_such_model           | tiny_kjv, or the path of a Hugging Face directory",
        "sim probe --device tpu_of_my_own | --device npu2"})
    void where_nothing_is_near_no_name_is_guessed(String command, String remedy) {
        String err = refused(command).err();
        assertTrue(err.endsWith("; try " + remedy + "\n"), err);
    }

    @Test void a_skill_is_told_too_and_a_far_one_sends_to_the_list() {
        String[] skills = {"opt-heard-sizing", "make-it-fast"};
        String near = CommandRun.of("plan", MODEL, "--workspace", folder.toString(), "--diff", skills[0]).err();
        assertTrue(near.startsWith("NPF-701 skill (opt-heard-sizing): "), near);
        String far = CommandRun.of("plan", MODEL, "--workspace", folder.toString(), "--diff", skills[1]).err();
        assertTrue(far.endsWith("; try npuflow skills\n"), far);
    }

    @Test void a_field_of_a_device_file_and_its_kind_are_told() throws IOException {
        String text = shipped();
        assertTrue(device(text.replace("source:", "sorce:")).endsWith("; try source\n"), device(text.replace("source:", "sorce:")));
        assertTrue(device(text.replace("kind: aie", "kind: iae")).endsWith("; try kind: aie\n"));
        assertTrue(device(text + "\nnonsense:\n  number: 3\n").endsWith("; try removing it, or another spelling\n"));
    }

    private static String shipped() throws IOException {
        try (InputStream in = MistypedNameTest.class.getResourceAsStream("/devices/npu2.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String device(String text) throws IOException {
        return refused("sim probe --device " + Files.writeString(folder.resolve("mine.yaml"), text)).err();
    }

    @ParameterizedTest @ValueSource(strings = {"reference", "REFERENCE", "Reference"})
    void a_word_of_an_option_is_taken_in_any_case_and_shown_in_the_case_of_the_help(String engine) {
        CommandRun run = CommandRun.of("generate", MODEL, "--workspace", folder.toString(), "--ids", "3", "-n", "1", "--engine", engine, "--json");
        assertEquals("reference", run.json().path("engine").asString(), run.err());
    }

    @Test void no_help_shows_a_word_in_capitals() {
        for (String command : new String[] {"generate", "plan", "estimate", "phase5", "completion"}) {
            String help = CommandRun.of("help", command).out();
            assertFalse(help.matches("(?s).*\\b(REFERENCE|NPU\\||PREFILL|DECODE|ON|OFF|UPSTREAM|BASH)\\b.*"), help);
        }
    }
}
