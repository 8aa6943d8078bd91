package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.cli.Progress.Detail;
import dev.npuflow.workflow.model.Cases;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ProgressTest {

    private final StringWriter err = new StringWriter();
    private final AtomicLong clock = new AtomicLong(7);

    private Progress progress(Detail detail, int steps, boolean inPlace) {
        return new Progress(new PrintWriter(err), detail, steps, inPlace, false, clock::get);
    }

    private void later(long milliseconds) {
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }

    private List<String> lines() {
        return err.toString().lines().toList();
    }

    @Test void off_a_terminal_each_step_is_a_line_with_its_number_and_the_seconds() {
        Progress progress = progress(Detail.STEPS, 2, false);
        progress.next("opening tiny_kjv");
        later(12_900);
        progress.next("profiling");
        assertEquals(List.of("[   0 s] step 1 of 2, opening tiny_kjv", "[  12 s] step 2 of 2, profiling"), lines());
    }

    @Test void a_phase_counts_its_own_steps_and_a_stage_is_no_line() {
        Progress progress = progress(Detail.STEPS, 0, false);
        progress.next("opening tiny_kjv");
        progress.run("phase 5");
        progress.step(2, 7, "opt-herd-sizing");
        progress.stage("verifying");
        assertEquals(List.of("[   0 s] opening tiny_kjv", "[   0 s] phase 5, step 2 of 7, opt-herd-sizing"), lines());
    }

    @Test void a_long_step_says_every_5_seconds_how_far_it_is_and_prompts_count_from_1() {
        Progress progress = progress(Detail.STEPS, 0, false);
        progress.step(1, 3, "baseline");
        progress.stage("verifying");
        progress.prompt(1, 2, 32);
        progress.layer(3, 16);
        later(4_999);
        progress.tick();
        progress.token(5);
        assertEquals(1, lines().size(), "nobody waits that long yet");
        later(1);
        progress.tick();
        progress.tick();
        assertEquals("[   5 s] step 1 of 3, baseline: verifying, prompt 1 of 2, token 5 of 32", lines().getLast());
        assertEquals(2, lines().size());
        later(5_000);
        progress.layer(9, 16);
        assertEquals("[  10 s] step 1 of 3, baseline: verifying, prompt 1 of 2, prefill, layer 9 of 16", lines().getLast());
    }

    @Test void what_the_reference_does_is_named_and_forgotten_when_the_npu_begins() {
        Progress progress = progress(Detail.STAGES, 0, false);
        progress.step(1, 1, "verifying");
        progress.reference().prompt(2, 4, 32);
        progress.prompt(1, 4, 32);
        progress.stage("measuring");
        assertEquals(List.of("[   0 s] step 1 of 1, verifying", "[   0 s] step 1 of 1, verifying, reference, prompt 2 of 4",
                "[   0 s] step 1 of 1, verifying, prompt 1 of 4", "[   0 s] step 1 of 1, verifying: measuring"), lines());
    }

    @Test void nothing_is_told_between_the_answer_and_the_next_step() {
        Progress progress = progress(Detail.STEPS, 2, false);
        progress.next("one");
        progress.clear();
        later(60_000);
        progress.tick();
        assertEquals(1, lines().size());
        progress.next("two");
        assertEquals(2, lines().size());
    }

    @Test void quiet_tells_nothing_but_warnings() {
        Progress progress = progress(Detail.NOTHING, 2, true);
        progress.next("one");
        progress.stage("verifying");
        later(60_000);
        progress.tick();
        progress.warn("two names");
        progress.close();
        assertEquals("warning: two names\n", err.toString());
    }

    @Test void on_a_terminal_the_line_replaces_itself_and_is_taken_away() {
        Progress progress = progress(Detail.STEPS, 2, true);
        progress.next("one");
        later(1_000);
        progress.tick();
        progress.close();
        assertEquals("\r\u001b[2K[   0 s] step 1 of 2, one\r\u001b[2K[   1 s] step 1 of 2, one\r\u001b[2K", err.toString());
    }

    private static CommandRun profile(Path workspace, String... more) {
        return CommandRun.of(Stream.concat(Stream.of("profile", Cases.folder("e15/normal").toString(), "--workspace", workspace.toString(), "-n", "2"),
                Stream.of(more)).toArray(String[]::new));
    }

    private static String told(Path workspace, String... more) {
        StringWriter told = new StringWriter();
        String[] line = Stream.concat(Stream.of("profile", Cases.folder("e15/normal").toString(), "--workspace", workspace.toString(), "-n", "2"),
                Stream.of(more)).toArray(String[]::new);
        NpuflowCommand.commandLine().setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(told, true)).execute(line);
        return told.toString();
    }

    @Test void a_command_tells_its_steps_and_its_answer_does_not_depend_on_it(@TempDir Path workspace) {
        String steps = told(workspace);
        assertTrue(steps.contains(" s] step 1 of 2, opening ") && steps.contains(" s] step 2 of 2, profiling\n"), steps);
        assertEquals("", told(workspace, "-q"));
        assertTrue(told(workspace, "--verbose").lines().count() >= 2);
        assertEquals(profile(workspace, "-q").out(), profile(workspace, "-v").out());
        assertTrue(profile(workspace, "-q", "-v").err().startsWith("NPF-837 "));
    }

    @Test void every_command_with_a_workspace_takes_both_options_and_one_that_is_soon_done_does_not() {
        List<String> readTheLedgerAlone = List.of("history", "why");
        List<CommandLine> commands = List.copyOf(NpuflowCommand.commandLine().getSubcommands().values());
        assertEquals(List.of(), commands.stream().filter(command -> command.getCommandSpec().optionsMap().containsKey("--workspace"))
                .filter(command -> !command.getCommandSpec().optionsMap().keySet().containsAll(List.of("-q", "-v"))).map(CommandLine::getCommandName)
                .filter(name -> !readTheLedgerAlone.contains(name)).toList());
        Stream.concat(readTheLedgerAlone.stream(), Stream.of("tokenize"))
                .forEach(name -> assertFalse(NpuflowCommand.commandLine().getSubcommands().get(name).getCommandSpec().optionsMap().containsKey("-q"), name));
    }
}
