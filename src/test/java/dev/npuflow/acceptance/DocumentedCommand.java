package dev.npuflow.acceptance;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A command that a document tells a reader to run.
///
/// @param place    document and line
/// @param text     as the reader types it, without the comment behind it
/// @param run      where it is run
record DocumentedCommand(String place, String text, Run run) {

    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern PROGRAM = Pattern.compile("npuflow|make|mvn|docker|git|java|python3?|\\./\\S+|bin/\\S+");

    /// Where a command is run. The marks that say so are explained in `CONTRIBUTING.md`.
    sealed interface Run {

        /// By every `make test`.
        record Always() implements Run {}

        /// By `make docs-check` alone.
        record Slowly() implements Run {}

        /// By a test of its own.
        record By(String test) implements Run {}

        /// Never, and why.
        record Never(String why) implements Run {}
    }

    /// Whether words begin as a command does.
    static boolean isProgram(String word) {
        return PROGRAM.matcher(word).matches();
    }

    /// Those of a document. What it says twice is one command, and the marks are those of the first place.
    static List<DocumentedCommand> in(Markdown document) {
        List<String> ofAll = document.parts().stream().limit(1).filter(part -> part instanceof Markdown.Prose title && title.text().startsWith("# "))
                .flatMap(title -> title.marks().stream()).toList();
        SequencedMap<String, DocumentedCommand> commands = new LinkedHashMap<>();
        for (Markdown.Part part : document.parts()) {
            for (String text : texts(part)) {
                commands.putIfAbsent(text, new DocumentedCommand(document.name() + ":" + part.line(), text,
                        run(Stream.concat(part.marks().stream(), ofAll.stream()).toList(), text)));
            }
        }
        return List.copyOf(commands.values());
    }

    /// The block that shows what a command prints, by its mark `output of: COMMAND`.
    static Optional<String> shownBy(Markdown.Block block) {
        return block.marks().stream().filter(mark -> mark.startsWith("output of: ")).map(mark -> mark.substring("output of: ".length())).findFirst();
    }

    private static List<String> texts(Markdown.Part part) {
        return switch (part) {
            case Markdown.Block block -> block.language().equals("sh") ? lines(block.lines()) : List.of();
            case Markdown.Prose prose -> SPAN.matcher(prose.text()).results().map((MatchResult span) -> span.group(1).replaceAll("\\s+", " ")).filter(
                    span -> isProgram(span.split(" ")[0]) && span.contains(" ")).toList();
        };
    }

    /// Lines of a shell, joined where one ends with a backslash, without comments.
    private static List<String> lines(List<String> block) {
        return Stream.of(String.join("\n", block).replaceAll(" *\\\\\n *", " ").split("\n")).map(ShellWords::withoutComment).map(String::strip)
                .filter(line -> !line.isEmpty()).toList();
    }

    private static Run run(List<String> marks, String text) {
        return marks.stream().map(Mark::of).flatMap(Optional::stream).filter(mark -> text.startsWith(mark.prefix()))
                .max(Comparator.comparingInt(mark -> mark.prefix().length())).map(Mark::run).orElse(new Run.Always());
    }

    /// A comment before a block or a paragraph: `slow`, `slow make demo`, `test: SkillGuideTest`, `never docker: needs Docker`.
    ///
    /// @param prefix how the commands begin that it speaks of; all of them if empty
    record Mark(String prefix, Run run) {

        private static final Pattern FORM = Pattern.compile("(slow|test|never)(?: ([^:]+))?(?:: (.+))?");

        static Optional<Mark> of(String comment) {
            Matcher form = FORM.matcher(comment);
            if (!form.matches()) {
                return Optional.empty();
            }
            String prefix = Objects.requireNonNullElse(form.group(2), "");
            String more = form.group(3);
            if (form.group(1).equals("slow") != (more == null)) {
                throw new IllegalArgumentException("<!-- %s -->: expected the test after `test:`, the reason after `never:`, and nothing after `slow`".formatted(comment));
            }
            return Optional.of(new Mark(prefix, switch (form.group(1)) {
                case "slow" -> new Run.Slowly();
                case "test" -> new Run.By(more);
                default -> new Run.Never(more);
            }));
        }
    }
}
