package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Whole commands on models that people stumbled over: each line of a case's `cli.json` is a command and what has to come of it.
class CaseCommandsTest {

    private static final Pattern FAULT = Pattern.compile("(?m)^NPF-\\d{3} .+: expected .+; try .+$");

    @TempDir Path folder;

    private record Command(String id, JsonNode line) {
        @Override public String toString() {
            return "%s %s %s".formatted(id, line.path("links").asString(""), line.get("run"));
        }
    }

    static Stream<Command> commands() {
        return Stream.of("e06", "e08", "e10").flatMap(id -> JsonMapper.shared().readTree(Cases.file(id + "/cli.json").toFile()).valueStream()
                .map(line -> new Command(id, line)));
    }

    @ParameterizedTest @MethodSource("commands") void comes_to_what_is_right(Command command) throws IOException {
        List<String> arguments = new ArrayList<>(command.line().get("run").valueStream().map(JsonNode::asString).toList());
        arguments.set(1, model(command).toString());
        if (!arguments.getFirst().equals("tokenize")) {
            arguments.addAll(List.of("--workspace", folder.resolve("workspace").toString()));
        }
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        String told = run.err();
        switch (command.line().get("expect").asString()) {
            case "refuse" -> {
                refused(run);
                String forbidden = command.line().path("must_not_say").asString("");
                assertTrue(forbidden.isEmpty() || !told.contains(forbidden), told);
                named(command).forEach(name -> assertTrue(told.contains(name), told));
            }
            case "ids", "ids or refuse" -> {
                assertEquals(0, run.exitCode(), told);
                assertEquals(command.line().get("ids"), run.json().get("ids"));
            }
            case String other -> throw new IllegalStateException(other);
        }
    }

    private static void refused(CommandRun run) {
        assertEquals(2, run.exitCode(), run.err());
        assertTrue(FAULT.matcher(run.err()).find(), run.err());
        assertFalse(run.err().contains("NPF-899"), run.err());
    }

    static Stream<List<String>> idsThatAreRefused() {
        return Cases.expected("e08").get("token_beyond_embedding").get("must_cli").valueStream()
                .flatMap(given -> Stream.of("generate --engine npu", "generate --engine reference", "profile", "diagnosis", "localize")
                        .map(command -> Stream.concat(Stream.of(command.split(" ")), given.valueStream().map(JsonNode::asString)).toList()));
    }

    @ParameterizedTest @MethodSource("idsThatAreRefused") void a_token_beyond_the_embedding_is_refused_by(List<String> command) {
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(List.of(Cases.file("e08/token_beyond_embedding").toString(), "--workspace", folder.toString()));
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        refused(run);
        String id = Stream.of("99999999999", "-1").filter(command.getLast()::contains).findFirst().orElse("32");
        assertTrue(run.err().contains(": token id (" + id + "): expected 0 to 31, for the embedding has 32 rows"), run.err());
    }

    @Test void tokenize_shows_the_id_and_warns_that_the_model_has_no_row_for_it() {
        String model = Cases.file("e08/token_beyond_embedding").toString();
        CommandRun beyond = CommandRun.of("tokenize", model, "--text", "ab<pad>");
        assertEquals("3,4,32", beyond.out().strip());
        assertTrue(beyond.err().contains("warning: token id 32 is beyond the 32 rows"), beyond.err());
        assertEquals("", CommandRun.of("tokenize", model, "--text", "ab").err());
    }

    /// What the fault has to name: the file whose link is broken, or the id and the last one that the model has.
    private static List<String> named(Command command) {
        return command.line().has("links") ? List.of(command.line().get("links").asString(), "broken link", "../../blobs/0000000000000000")
                : List.of(Stream.of("99999999999", "-1", "32").filter(id -> command.line().get("run").toString().contains(id)).findFirst().orElse("32"),
                        "0 to 31");
    }

    private Path model(Command command) throws IOException {
        String name = command.line().get("run").get(1).asString();
        return command.line().has("links") ? linked(Cases.file("e10/whole"), command.line().get("links").asString()) : Cases.file(command.id() + "/" + name);
    }

    /// A copy in which one file is a link into a hub's cache that has lost it.
    private Path linked(Path whole, String broken) throws IOException {
        Path snapshot = Files.createDirectory(folder.resolve("snapshot"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(whole)) {
            for (Path file : files) {
                Files.copy(file, snapshot.resolve(file.getFileName()));
            }
        }
        Files.delete(snapshot.resolve(broken));
        Files.createSymbolicLink(snapshot.resolve(broken), Path.of("../../blobs/0000000000000000"));
        return snapshot;
    }
}
