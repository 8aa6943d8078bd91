package dev.npuflow.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a shell makes of a simple command.
final class ShellWords {

    private ShellWords() {}

    /// The words, without quotes; empty where it takes a shell: variables, pipes, redirections, several commands.
    static Optional<List<String>> of(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (char c : command.toCharArray()) {
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else if (quote == '"' && (c == '$' || c == '`' || c == '\\')) {
                    return Optional.empty();
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                begun = true;
            } else if (c == ' ') {
                if (begun) {
                    words.add(word.toString());
                }
                word.setLength(0);
                begun = false;
            } else if ("$`\\|&;<>()*?[".indexOf(c) >= 0) {
                return Optional.empty();
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (begun) {
            words.add(word.toString());
        }
        return Optional.of(words);
    }

    /// The line up to a `#` that begins a word.
    static String withoutComment(String line) {
        char quote = 0;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '#' && (at == 0 || line.charAt(at - 1) == ' ')) {
                return line.substring(0, at);
            }
        }
        return line;
    }
}
