package dev.npuflow.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A document as blocks of code and paragraphs around them, each with the marks before it: HTML comments on lines of their own.
///
/// @param name from the root of the tree on
record Markdown(String name, List<Part> parts) {

    private static final Pattern MARK = Pattern.compile("<!-- (.*) -->");
    private static final Pattern FENCE = Pattern.compile("```(\\w*)");
    /// The language of a block that is indented instead of fenced: it does not say what it is.
    static final String INDENTED = "indented";

    /// @param line  where it begins, from 1 on
    /// @param marks texts of the comments before it
    sealed interface Part {

        int line();

        List<String> marks();
    }

    record Block(int line, List<String> marks, String language, List<String> lines) implements Part {}

    /// A paragraph, a list or a table.
    record Prose(int line, List<String> marks, String text) implements Part {}

    static Markdown read(Path root, String name) throws IOException {
        return parse(name, Files.readString(root.resolve(name)));
    }

    static Markdown parse(String name, String text) {
        List<Part> parts = new ArrayList<>();
        List<String> marks = new ArrayList<>();
        List<String> lines = text.lines().toList();
        boolean inList = false;
        for (int at = 0; at < lines.size();) {
            String line = lines.get(at);
            int begin = at;
            Matcher mark = MARK.matcher(line);
            Matcher fence = FENCE.matcher(line);
            if (line.isBlank()) {
                at++;
            } else if (mark.matches()) {
                marks.add(mark.group(1));
                at++;
            } else if (fence.matches()) {
                for (at++; at < lines.size() && !lines.get(at).equals("```");) {
                    at++;
                }
                parts.add(new Block(begin + 1, taken(marks), fence.group(1), lines.subList(begin + 1, at)));
                at++;
                inList = false;
            } else if (line.startsWith("    ") && !inList) {
                for (at++; at < lines.size() && lines.get(at).startsWith("    ");) {
                    at++;
                }
                parts.add(new Block(begin + 1, taken(marks), INDENTED, lines.subList(begin, at)));
            } else {
                for (at++; at < lines.size() && !lines.get(at).isBlank() && !FENCE.matcher(lines.get(at)).matches();) {
                    at++;
                }
                parts.add(new Prose(begin + 1, taken(marks), String.join("\n", lines.subList(begin, at))));
                inList = line.startsWith("- ") || inList && line.startsWith(" ");
            }
        }
        return new Markdown(name, List.copyOf(parts));
    }

    private static List<String> taken(List<String> marks) {
        List<String> taken = List.copyOf(marks);
        marks.clear();
        return taken;
    }

    List<Block> blocks() {
        return parts.stream().filter(Block.class::isInstance).map(Block.class::cast).toList();
    }

    List<Prose> prose() {
        return parts.stream().filter(Prose.class::isInstance).map(Prose.class::cast).toList();
    }
}
