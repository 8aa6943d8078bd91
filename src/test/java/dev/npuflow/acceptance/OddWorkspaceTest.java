package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// A workspace may be anything: another model's, another program's, damaged, a file. Every command that takes one says so in one line, or works.
@TampersWithLedgers
class OddWorkspaceTest {

    @TempDir static Path folder;
    private static Path model;
    private static Path deployed;
    private static final CommandLine COMMANDS = NpuflowCommand.commandLine();
    private static int next;

    private interface Change {
        void to(Path workspace) throws IOException, SQLException;
    }

    /// What a ledger can hold that no npuflow wrote.
    private static final List<String> STATEMENTS = List.of("UPDATE run_status SET status = 'ODD'", "UPDATE run SET options = '['", "UPDATE run SET options = 'null'",
            "UPDATE run SET options = '{}'", "UPDATE run_status SET status = 'RUNNING'", "DELETE FROM attempt", "UPDATE event SET state = 'ODD'", "UPDATE event SET details = '{'",
            "UPDATE event SET details = 'null'", "UPDATE event SET details = '{}'", "UPDATE event SET plan_after = NULL", "DELETE FROM event",
            "UPDATE plan SET json = '{}'", "DELETE FROM plan", "UPDATE measurement SET profile = '{}'", "UPDATE measurement SET profile = 'null'",
            "UPDATE measurement SET profile = json_set(profile, '$.decodeTokens', 0)",
            "UPDATE measurement SET conditions = '1'", "DELETE FROM measurement", "UPDATE verdict SET verdict = 'ODD'", "UPDATE verdict SET rules = '{}'",
            "UPDATE verdict SET rules = 'null'", "DELETE FROM verdict", "DROP TABLE verdict", "PRAGMA user_version = 3", "PRAGMA user_version = 1",
            "PRAGMA application_id = 7", "UPDATE run_status SET at = 'yesterday'", "DELETE FROM run_status", "DELETE FROM head",
            "CREATE TRIGGER odd AFTER INSERT ON event BEGIN DELETE FROM event; END");

    @BeforeAll static void deploy() throws IOException {
        model = folder.resolve("model");
        SmallModel.copyTo(model);
        deployed = folder.resolve("deployed");
        CommandRun run = CommandRun.of("deploy", model.toString(), "--workspace", deployed.toString());
        assertEquals(0, run.exitCode(), run.err());
    }

    private static SequencedMap<String, Change> changes() {
        SequencedMap<String, Change> changes = new LinkedHashMap<>();
        changes.put("the ledger is empty", workspace -> Files.write(workspace.resolve("ledger.sqlite"), new byte[0]));
        changes.put("the ledger is text", workspace -> Files.writeString(workspace.resolve("ledger.sqlite"), "nothing of the kind ".repeat(1000)));
        changes.put("the ledger is cut short", workspace -> {
            byte[] all = Files.readAllBytes(workspace.resolve("ledger.sqlite"));
            Files.write(workspace.resolve("ledger.sqlite"), Arrays.copyOf(all, all.length / 2));
        });
        changes.put("the ledger is a directory", workspace -> {
            Files.delete(workspace.resolve("ledger.sqlite"));
            Files.createDirectory(workspace.resolve("ledger.sqlite"));
        });
        for (String name : List.of("cache", "reports", "documents")) {
            changes.put(name + " is a file", workspace -> {
                SmallModel.delete(workspace.resolve(name));
                Files.writeString(workspace.resolve(name), "a file");
            });
        }
        changes.put("files of the cache hold nothing of use", workspace -> {
            try (Stream<Path> files = Files.walk(workspace.resolve("cache"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.writeString(file, "null");
                }
            }
        });
        STATEMENTS.forEach(statement -> changes.put(statement, workspace -> execute(workspace, statement)));
        return changes;
    }

    private static void execute(Path workspace, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static List<CommandTree> commands() {
        return CommandTree.all().stream().filter(command -> command.spec().optionsMap().containsKey("--workspace")).toList();
    }

    @ParameterizedTest(name = "{0}") @MethodSource("commands") void a_ledger_that_no_npuflow_wrote_is_no_defect(CommandTree command) throws IOException, SQLException {
        List<String> complaints = new ArrayList<>();
        for (Map.Entry<String, Change> change : changes().entrySet()) {
            Path workspace = folder.resolve("w" + next++);
            SmallModel.copyTree(deployed, workspace);
            change.getValue().to(workspace);
            complain(complaints, change.getKey(), command.brief(model, workspace));
            SmallModel.delete(workspace);
        }
        assertEquals(List.of(), complaints);
    }

    private static void complain(List<String> complaints, String what, List<String> line) {
        CommandRun.of(COMMANDS, line.toArray(String[]::new)).complaints().forEach(complaint -> complaints.add(what + " -> " + complaint));
    }

    @ParameterizedTest(name = "{0}") @MethodSource("commands") void a_workspace_that_cannot_be_is_refused(CommandTree command) throws IOException {
        List<String> complaints = new ArrayList<>();
        Path file = Files.writeString(folder.resolve("file" + next++), "a file");
        complain(complaints, "a file", command.brief(model, file));
        complain(complaints, "below a file", command.brief(model, file.resolve("x")));
        complain(complaints, "a question mark", command.brief(model, folder.resolve("what?mode=memory")));
        Path other = folder.resolve("other" + next++);
        SmallModel.copyTo(other);
        complain(complaints, "of another model", command.brief(other, deployed));
        assertEquals(List.of(), complaints);
    }

    @Test void a_workspace_without_write_permission_is_refused() throws IOException {
        Path sealed = sealed();
        assertThrows(IOException.class, () -> Files.createFile(sealed.resolve("written")));
        List<String> complaints = new ArrayList<>();
        commands().forEach(command -> complain(complaints, command.toString(), command.fitting(model, sealed)));
        assertEquals(List.of(), complaints);
        CommandRun run = CommandRun.of(COMMANDS, "deploy", model.toString(), "--workspace", sealed.toString());
        assertEquals(3, run.exitCode(), run.err());
        assertTrue(run.err().contains("permission denied") && run.err().endsWith("try another --workspace\n"), run.err());
    }

    /// Root may write wherever a permission forbids it, but not where the kernel shows its own settings.
    private static Path sealed() throws IOException {
        Path sealed = Files.createDirectory(folder.resolve("sealed"));
        assertTrue(sealed.toFile().setWritable(false));
        return Files.isWritable(sealed) ? Path.of("/sys/kernel") : sealed;
    }
}
