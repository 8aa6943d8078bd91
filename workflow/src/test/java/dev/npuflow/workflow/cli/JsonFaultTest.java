package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.model.Cases;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Who asks for JSON gets the fault as JSON too, whichever command it was and however early it failed.
class JsonFaultTest {

    private static final String MODEL = Cases.folder("e16/model").toString();

    static Stream<List<String>> commands() {
        return below(List.of(), NpuflowCommand.commandLine());
    }

    private static Stream<List<String>> below(List<String> words, CommandLine command) {
        return Stream.concat(Stream.of(words), command.getSubcommands().entrySet().stream()
                .flatMap(sub -> below(Stream.concat(words.stream(), Stream.of(sub.getKey())).toList(), sub.getValue())));
    }

    private static Map<String, Object> parts(CommandRun run) {
        JsonNode json = run.json();
        assertEquals(List.of("error"), List.copyOf(json.propertyNames()));
        assertEquals(List.of("id", "what", "value", "expected", "try"), List.copyOf(json.get("error").propertyNames()));
        return JsonMapper.shared().convertValue(json.get("error"), Map.class);
    }

    @ParameterizedTest @MethodSource("commands") void an_unknown_option_is_told_in_parts_by_every_command(List<String> words) {
        CommandRun run = CommandRun.of(Stream.concat(words.stream(), Stream.of("--no-such-option", "--json")).toArray(String[]::new));
        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("NPF-801 "), run.err());
        assertEquals("NPF-801", parts(run).get("id"));
    }

    @Test void a_fault_of_the_command_line_has_its_value_and_what_would_have_done() {
        assertEquals(Map.of("id", "NPF-801", "what", "-n", "value", "x", "expected", "a whole number", "try", "npuflow profile --help"),
                parts(CommandRun.of("profile", MODEL, "-n", "x", "--json")));
        assertEquals(Map.of("id", "NPF-801", "what", "--engine", "value", "abacus", "expected", "reference or npu", "try", "npuflow generate --help"),
                parts(CommandRun.of("generate", MODEL, "--json", "--engine", "abacus")));
        assertEquals("--engine reference", parts(CommandRun.of("generate", MODEL, "--json", "--engine", "refrence")).get("try"));
        assertEquals(Map.of("id", "NPF-801", "what", "option", "value", "--ignroe-eos", "expected", "the options and arguments of npuflow profile",
                "try", "--ignore-eos"), parts(CommandRun.of("profile", MODEL, "--json", "--ignroe-eos")));
        assertEquals("MODEL is missing", parts(CommandRun.of("profile", "--json")).get("what"));
    }

    @Test void a_fault_of_npuflow_and_one_of_the_simulator_have_the_same_parts_and_the_line_is_made_of_them() {
        CommandRun model = CommandRun.of("plan", "no_such_model", "--json");
        assertEquals(Map.of("id", "NPF-803", "what", "model", "value", "no_such_model", "expected", "a name under programming_examples/llms or a directory",
                "try", "tiny_kjv, or the path of a Hugging Face directory"), parts(model));
        assertEquals("NPF-803 model (no_such_model): expected a name under programming_examples/llms or a directory; try tiny_kjv, or the path of a Hugging Face"
                + " directory\n", model.err());
        CommandRun device = CommandRun.of("sim", "probe", "--device", "npu9", "--json");
        assertEquals(List.of(2, "NPF-300", "npu9", "--device npu2"),
                List.of(device.exitCode(), parts(device).get("id"), parts(device).get("value"), parts(device).get("try")));
    }

    /// One fault of each place that words its own: a program must not have to cut the value out of a sentence.
    @ParameterizedTest @CsvSource(delimiter = '|', value = {
        "NPF-154 | 99               | generate MODEL --ids 99",
        "NPF-809 | x                | generate MODEL --ids 1,x",
        "NPF-805 | 12               | plan MODEL --plan 12",
        "NPF-530 | -1               | localize MODEL --steps -1",
        "NPF-830 | abacus           | kernels check abacus",
        "NPF-106 | looks like a tokenizer.json | inspect MODEL/tokenizer.json"})
    void a_value_stands_apart_from_what_has_it(String id, String value, String command) {
        CommandRun run = CommandRun.of((command.replace("MODEL", MODEL) + " --json").split(" +"));
        assertEquals(List.of(id, value), List.of(parts(run).get("id"), parts(run).get("value")), run.err());
        assertTrue(run.err().startsWith("%s %s (%s): expected ".formatted(id, parts(run).get("what"), value)), run.err());
    }

    @Test void what_has_no_value_says_null() {
        assertEquals(null, parts(CommandRun.of("generate", MODEL, "--ids", "1", "--prompt", "a", "--workspace", "/dev/null/x", "--json")).get("value"));
    }

    @Test void without_json_and_for_a_text_that_is_spelled_like_it_nothing_goes_to_standard_output() {
        assertEquals("", CommandRun.of("plan", "no_such_model").out());
        assertEquals("", CommandRun.of("generate", "no_such_model", "--prompt", "--json").out());
        assertEquals("", CommandRun.of("tokenize", MODEL, "--text", "--json", "--no-such-option").out());
        assertEquals("", CommandRun.of("plan", "no_such_model", "--", "--json").out());
        assertEquals("NPF-801", parts(CommandRun.of("tokenize", MODEL, "--text", "--text", "--json", "--no-such-option")).get("id"));
    }

    /// A command that ends as its body says.
    @Command(name = "toy")
    private static final class Toy implements Runnable {

        private final Runnable body;

        @SuppressWarnings("unused") @Option(names = "--json") private boolean json;

        Toy(Runnable body) {
            this.body = body;
        }

        @Override public void run() {
            body.run();
        }
    }

    private static CommandRun toy(Runnable body) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = NpuflowCommand.commandLine().addSubcommand("toy", new CommandLine(new Toy(body))).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute("toy", "--json");
        return new CommandRun(code, out.toString(), err.toString());
    }

    @Test void a_failed_file_and_a_defect_are_told_in_parts_too() {
        CommandRun file = toy(() -> {
            throw new UncheckedIOException(new NoSuchFileException("/x/y"));
        });
        assertEquals(List.of(3, "NPF-802", "/x/y"), List.of(file.exitCode(), parts(file).get("id"), parts(file).get("what")));
        CommandRun defect = toy(() -> {
            throw new StackOverflowError();
        });
        assertEquals(List.of(3, "NPF-899"), List.of(defect.exitCode(), parts(defect).get("id")));
    }

    @Test void controls_in_a_value_reach_the_line_as_blanks_and_the_json_escaped() {
        CommandRun run = toy(() -> {
            throw NpuflowException.badInput("NPF-105", "field", "a\u001b[31m\nb", "c", "d");
        });
        assertEquals("NPF-105 field (a [31m b): expected c; try d\n", run.err());
        assertTrue(run.out().contains("\"a\\u001b[31m\\nb\"") || run.out().contains("\"a\\u001B[31m\\nb\""), run.out());
        assertEquals("a\u001b[31m\nb", parts(run).get("value"));
    }
}
