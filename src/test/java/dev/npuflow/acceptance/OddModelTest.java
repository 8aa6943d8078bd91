package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A model directory comes from a stranger. What is wrong in it is told in one line, by whichever command reads it first.
class OddModelTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir static Path folder;
    private static int next;

    private interface Change {
        void to(Path model) throws IOException;
    }

    private static Change writes(String file, String text) {
        return model -> Files.writeString(model.resolve(file), text);
    }

    private static SequencedMap<String, Change> changes() {
        SequencedMap<String, Change> changes = new LinkedHashMap<>();
        for (String file : List.of("config.json", "model.safetensors", "tokenizer.json")) {
            changes.put(file + " is not there", model -> Files.delete(model.resolve(file)));
            changes.put(file + " is a directory", model -> {
                Files.delete(model.resolve(file));
                Files.createDirectory(model.resolve(file));
            });
            changes.put(file + " is cut short", model -> {
                byte[] all = Files.readAllBytes(model.resolve(file));
                Files.write(model.resolve(file), Arrays.copyOf(all, all.length / 2));
            });
            for (String text : List.of("", "{}", "[]", "null", "1", "{\"a\":", "[".repeat(100_000), "\u0000".repeat(64))) {
                changes.put(file + " holds " + text.substring(0, Math.min(5, text.length())).replace("\u0000", "NUL"), writes(file, text));
            }
        }
        for (String text : List.of("", "{}", "[]", "null", "eos_token_id", "{\"eos_token_id\": \"x\"}", "{\"eos_token_id\": [null]}", "{\"eos_token_id\": -1}",
                "{\"eos_token_id\": 1e30}")) {
            changes.put("generation_config.json holds " + text, writes("generation_config.json", text));
        }
        for (String text : List.of("", "null", "- a", "[", "a: &a [*a]", "prompts: 5", "prompts: /etc/passwd", "prompts: ..", "prompts: nowhere.txt", "prompts: [a]",
                "canonical_prompt: [1]", "canonical_prompt: ''", "canonical_prompt: {a: b}", "canonical_prompt_ids: x", "canonical_prompt_ids: []",
                "canonical_prompt_ids: [-1]", "canonical_prompt_ids: [32]", "canonical_prompt_ids: [99999999999]", "phase_prompts: 0", "phase_prompts: -1",
                "phase_prompts: many", "phase_prompts: 99999999999", "canonical_prompt_ids: [" + "3, ".repeat(300) + "3]",
                "canonical_prompt_ids: [" + "3, ".repeat(255) + "3]", "canonical_prompt_ids: [" + "3, ".repeat(254) + "3]", "a: 1\na: 2", "\u0000")) {
            changes.put("model.yaml holds " + text.substring(0, Math.min(40, text.length())).replace("\u0000", "NUL") + text.length(), writes("model.yaml", text));
        }
        for (String text : List.of("", "\n\n", "ab", "a".repeat(400), "ZZZ", "\u0000\n\u001b[31m")) {
            changes.put("prompts.txt holds " + text.length() + " letters", model -> {
                Files.writeString(model.resolve("prompts.txt"), text);
                Files.writeString(model.resolve("model.yaml"), "prompts: prompts.txt\n");
            });
        }
        for (String text : List.of("", "[]", "[[]]", "[[32]]", "[[-1]]", "[[1.5]]", "[\"a\"]", "{}", "[[3],[]]", "null", "[null]", "[[" + "3,".repeat(300) + "3]]")) {
            changes.put("without a tokenizer prompts.ids.json holds " + text.substring(0, Math.min(9, text.length())), model -> {
                Files.delete(model.resolve("tokenizer.json"));
                Files.delete(model.resolve("model.yaml"));
                Files.writeString(model.resolve("prompts.ids.json"), text);
            });
        }
        return changes;
    }

    private static SequencedMap<String, Change> fields() throws IOException {
        Path model = SmallModel.copyTo(folder.resolve("whole" + next++));
        SequencedMap<String, Change> changes = new LinkedHashMap<>();
        for (String field : List.copyOf(JSON.readTree(model.resolve("config.json").toFile()).propertyNames())) {
            for (String value : List.of("null", "\"x\"", "\"\"", "-1", "0", "1", "3", "2147483647", "1e30", "0.5", "[]", "{}", "true", "[null]")) {
                changes.put(field + " is " + value, at -> with(at, field, JSON.readTree(value)));
            }
        }
        return changes;
    }

    private static void with(Path model, String field, JsonNode value) throws IOException {
        Path file = model.resolve("config.json");
        ObjectNode config = (ObjectNode) JSON.readTree(file.toFile());
        config.set(field, value);
        Files.writeString(file, config.toString());
    }

    private static Stream<CommandTree> commands() {
        return CommandTree.all().stream().filter(command -> command.spec().positionalParameters().stream()
                .anyMatch(argument -> !List.of("KERNEL", "COMMAND", "NAME").contains(argument.paramLabel())));
    }

    /// Each change meets every command that `always` names, and in turn one of the others, which read a model by the same code.
    private static List<String> complaints(SequencedMap<String, Change> changes, Predicate<CommandTree> always) throws IOException {
        Map<Boolean, List<CommandTree>> commands = commands().collect(Collectors.partitioningBy(always));
        Path workspace = folder.resolve("w" + next++);
        CommandLine line = NpuflowCommand.commandLine();
        List<String> complaints = new ArrayList<>();
        int turn = 0;
        for (var change : changes.entrySet()) {
            Path model = SmallModel.copyTo(folder.resolve("m" + next++).resolve("tiny_kjv"));
            change.getValue().to(model);
            CommandTree inTurn = commands.get(false).get(turn++ % commands.get(false).size());
            for (CommandTree command : Stream.concat(commands.get(true).stream(), Stream.of(inTurn)).toList()) {
                CommandRun run = CommandRun.of(line, command.brief(model, workspace).toArray(String[]::new));
                run.complaints().forEach(complaint -> complaints.add(command + ", " + change.getKey() + " -> " + complaint));
            }
            SmallModel.delete(model.getParent());
        }
        return complaints;
    }

    @Test void a_file_that_is_not_what_its_name_says_is_no_defect() throws IOException {
        assertEquals(List.of(), complaints(changes(), command -> !command.spec().optionsMap().containsKey("--workspace")));
    }

    @Test void a_field_of_the_configuration_with_another_value_is_no_defect() throws IOException {
        assertEquals(List.of(), complaints(fields(), command -> command.words().contains("inspect")));
    }
}
