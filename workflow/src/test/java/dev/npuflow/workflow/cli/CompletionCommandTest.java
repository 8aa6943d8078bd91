package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script is sourced by a real bash, which is then asked as its completion asks.
class CompletionCommandTest {

    @TempDir Path folder;

    @Test void bash_completes_commands_options_and_words_and_nothing_else() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        assertTrue(completions("npuflow", "").containsAll(List.of("deploy", "sim", "help", "completion")));
        assertEquals(List.of("timeline"), completions("npuflow", "sim", "ti"));
        assertEquals(List.of("--engine"), completions("npuflow", "generate", "--en"));
        assertEquals(List.of("reference"), completions("npuflow", "generate", "--engine", "ref"));
        assertEquals(List.of("prefill"), completions("npuflow", "plan", "--phase", "p"));
        assertEquals(List.of(), completions("npuflow", "sim", "xyz"));
    }

    @Test void zsh_gets_the_script_too_and_another_shell_none() {
        assertEquals(CommandRun.of("completion", "bash").out(), CommandRun.of("completion", "ZSH").out());
        assertTrue(CommandRun.of("completion", "zsh").out().contains("bashcompinit"));
        CommandRun fish = CommandRun.of("completion", "fish");
        assertEquals(2, fish.exitCode());
        assertEquals("", fish.out());
        assertTrue(fish.err().startsWith("NPF-801 bash|zsh (fish): expected bash or zsh; "), fish.err());
        assertTrue(CommandRun.of("completion", "bahs").err().endsWith("; try bash\n"));
    }

    private List<String> completions(String... words) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("npuflow-completion"), CommandRun.of("completion", "bash").out());
        String question = "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; COMP_POINT=${#COMP_LINE}; $(complete -p npuflow | sed 's/.*-F \\([^ ]*\\).*/\\1/'); printf '%%s\\n' \"${COMPREPLY[@]}\""
                .formatted(script, quoted(words), words.length - 1, String.join(" ", words));
        Process bash = new ProcessBuilder("/bin/bash", "--norc", "-c", question).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, bash.waitFor());
        return answer.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    private static String quoted(String... words) {
        StringBuilder quoted = new StringBuilder();
        for (String word : words) {
            quoted.append('\'').append(word).append("' ");
        }
        return quoted.toString().strip();
    }
}
