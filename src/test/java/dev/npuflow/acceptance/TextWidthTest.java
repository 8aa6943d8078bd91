package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// What people read fits into the terminal, and into 100 columns where there is none.
class TextWidthTest {

    private static final int WIDTH = 100;

    @TempDir static Path workspace;

    private static List<String> tooWide(String text, int width) {
        return text.lines().filter(line -> line.codePointCount(0, line.length()) > width && line.strip().contains(" ")).toList();
    }

    @ParameterizedTest @ValueSource(strings = {
        "plan tiny_kjv --workspace W",
        "plan tiny_kjv --workspace W --diff opt-merge-multi-launch-kernels",
        "plan tiny_kjv --workspace W --diff opt-buffer-object-reuse",
        "compile tiny_kjv --workspace W",
        "generate tiny_kjv --workspace W -n 2",
        "diagnosis tiny_kjv --workspace W --steps 0",
        "estimate llama32_1b",
        "estimate qwen25_3b --plan baseline",
        "kernels registry",
        "kernels check GEMV --m 2048 --k 2000 --tile-m 7 --m-input 4",
        "kernels check GEMV --m 2048 --k 2048 --tile-m 8 --m-input 4",
        "kernels tune GEMV --m 2048 --k 2048",
        "kernels tune GEMV --m 2048 --k 2000",
        "kernels tune RoPE --rows 32768 --head-dim 64",
        "sim probe",
        "sim timeline gemv --shape m=2048,k=2048 --tile tile_m=8,m_input=4",
        "skills",
        "inspect tiny_kjv",
        "inspect llama32_1b"})
    void a_command_prints_nothing_wider_than_100_columns_where_there_is_no_terminal(String command) {
        CommandRun run = CommandRun.of(command.replace("W", workspace.toString()).split(" "));
        assertTrue(run.out().length() > 50, command + ": " + run.err());
        assertEquals(List.of(), tooWide(run.out(), WIDTH), command);
    }

    @Test void text_fits_a_narrower_terminal_too() {
        for (String command : List.of("estimate llama32_1b", "kernels registry llama32_1b", "skills", "inspect tiny_kjv",
                "sim timeline gemv --shape m=2048,k=2048 --tile tile_m=8,m_input=4")) {
            StringWriter out = new StringWriter();
            CommandLine line = NpuflowCommand.commandLine().setOut(new PrintWriter(out, true)).setUsageHelpWidth(80);
            assertEquals(0, line.execute(command.split(" ")), command);
            assertEquals(List.of(), tooWide(out.toString(), 80), command);
        }
    }

    @Test void the_help_of_every_command_fits() {
        List<String> wide = new ArrayList<>();
        help(NpuflowCommand.commandLine(), wide);
        assertEquals(List.of(), wide);
    }

    private static void help(CommandLine command, List<String> wide) {
        wide.addAll(tooWide(command.getUsageMessage(), WIDTH));
        command.getSubcommands().values().forEach(sub -> help(sub, wide));
    }

    @Test void text_shows_twelve_digits_of_a_hash_and_json_all_of_them() {
        String hash = CommandRun.of("plan", "tiny_kjv", "--workspace", workspace.toString(), "--json").json().get("hash").asString();
        assertTrue(hash.matches("[0-9a-f]{64}"), hash);
        for (String command : List.of("plan", "compile")) {
            String text = CommandRun.of(command, "tiny_kjv", "--workspace", workspace.toString()).out();
            assertTrue(text.startsWith("plan " + hash.substring(0, 12)) && !text.contains(hash.substring(0, 13)), text);
        }
    }
}
